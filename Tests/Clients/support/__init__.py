"""What the tests with real clients share."""
