"""Places to run code: child kernels with all that is known of them, kernels on other servers, the person's own."""
