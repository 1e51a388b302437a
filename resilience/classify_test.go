package resilience

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"
)

func TestClassify(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	read := &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	for _, c := range []struct {
		err  error
		want Verdict
	}{
		{&url.Error{Op: "Post", Err: dial}, Verdict{Passing: true, Undelivered: true}},
		{&net.OpError{Op: "dial", Err: errors.New("no such host")}, Verdict{Undelivered: true}},
		{&url.Error{Op: "Post", Err: read}, Verdict{Passing: true}},
		{&url.Error{Op: "Post", Err: io.EOF}, Verdict{Passing: true}},
		{fmt.Errorf("call: %w", context.DeadlineExceeded), Verdict{Passing: true}},
		{os.ErrDeadlineExceeded, Verdict{Passing: true}},
		{context.Canceled, Verdict{}},
		{ErrClosed, Verdict{Passing: true}},
		{ErrInternal, Verdict{Passing: true}},
		{errors.Join(ErrNotSent, ErrClosed), Verdict{Passing: true, Undelivered: true}},
		{fmt.Errorf("x: %w", &StatusError{Status: 429, RetryAfter: time.Second}), Verdict{true, true, time.Second}},
		{&StatusError{Status: 408}, Verdict{Passing: true, Undelivered: true}},
		{&StatusError{Status: 503}, Verdict{Passing: true, Undelivered: true}},
		{&StatusError{Status: 502}, Verdict{Passing: true}},
		{&StatusError{Status: 504}, Verdict{Passing: true}},
		{&StatusError{Status: 400}, Verdict{}},
		{&StatusError{Status: 401}, Verdict{}},
		{&StatusError{Status: 403}, Verdict{}},
		{&StatusError{Status: 404}, Verdict{}},
		{&StatusError{Status: 422}, Verdict{}},
		{&StatusError{Status: 500}, Verdict{}},
		{errors.New("bad arguments"), Verdict{}},
	} {
		if got := Classify(c.err); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
}
