"""Other job queues, each with its best settings and two worker processes, and the bare pipeline."""
