"""Taking a project into use: which engines there are and what they obey, the first settings, and what is wrong."""
