/* Preloaded (LD_PRELOAD), never called: DiskFault.c says what it does. */
