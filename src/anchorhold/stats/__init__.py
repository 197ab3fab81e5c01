"""Pure numbers: estimates, intervals and tests from counts. Knows no engine, file or rule."""
