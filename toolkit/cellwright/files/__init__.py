"""Files as tools meet them: real paths inside one folder, bytes that stay as they are, texts that come back whole."""
