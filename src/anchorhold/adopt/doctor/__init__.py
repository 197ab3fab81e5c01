"""What a check stands on, looked at before one is opened: each finding says what is wrong and what mends it."""
