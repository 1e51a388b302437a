//go:build unix

package wsbridge

import (
	"fmt"
	"io/fs"
)

// checkPrivate refuses a token that others could have read.
func checkPrivate(file string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("token file %s can be read by other users (mode %04o): remove it to have a new one made", file, info.Mode().Perm())
	}
	return nil
}
