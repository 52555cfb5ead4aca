"""What people would otherwise pick, each at its own best with two worker processes, and the bare pipeline."""
