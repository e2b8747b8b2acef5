"""covey."""
