"""Playing games: engines, referee, books, schedule, journal, runner."""
