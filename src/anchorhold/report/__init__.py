"""How a result is shown: as a page, as pictures, in the terminal."""
