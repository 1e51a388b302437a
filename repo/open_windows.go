package repo

// nonBlocking is not needed: Windows has no FIFO in a folder.
const nonBlocking = 0
