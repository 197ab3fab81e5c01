"""What a browser sees: a static site of all checks, and the live dashboard. It only reads."""
