//go:build !linux

package main

// strangerMain is on Linux alone, where a test can become another user.
func strangerMain() {}
