package wsbridge

import (
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// testPages has the key of testPage.
var testPages Pairing

var testPage = identity{rolePage, "0123456789abcdef", strings.Repeat("k", 32)}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "gitnexus-test-pages-")
	if err == nil {
		testPages = Pairing{dir}
		err = testPages.write(pageKind, testPage.id, pairingFile{Secret: []byte(testPage.key), Name: "test", Created: time.Now()})
	}
	if err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// identityOf is what a test's client of a role proves to be.
func identityOf(role string) identity {
	if role == rolePage {
		return testPage
	}
	return Gate{Token: testToken}.peer()
}
