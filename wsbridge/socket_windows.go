package wsbridge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// socket returns the name of the gate's named pipe, or why there can be none. Names
// are of the whole machine, so the user's folder is in it.
func (g Gate) socket() (string, error) {
	if g.SocketDir == "" {
		return "", errors.New("no folder for the socket")
	}
	sum := sha256.Sum256([]byte(g.SocketDir))
	return fmt.Sprintf(`\\.\pipe\gitnexus-mcp-%x-%s`, sum[:8], g.port()), nil
}

// listenSocket makes the gate's named pipe, to which its access list admits our user
// alone. The name is free when the last connection of the former hub has ended; blocked
// is told when that takes long, as it does when another program has made such a pipe.
func (g Gate) listenSocket(blocked func(error)) (net.Listener, error) {
	name, err := g.socket()
	if err != nil {
		return nil, err
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("the named pipe: %w", err)
	}
	return socketListener{newLateListener(lateListener{
		backoff: reconnect.Backoff{Base: 10 * time.Millisecond, Jitter: reconnect.NoJitter}, patience: 8, // 2.5 s
		addr: pipeAddr(name), isInUse: func(error) bool { return true }, blocked: blocked,
		listen: func() (net.Listener, error) {
			return winio.ListenPipe(name, &winio.PipeConfig{
				SecurityDescriptor: fmt.Sprintf("O:%[1]sD:P(A;;GA;;;%[1]s)", user.User.Sid), InputBufferSize: 64 << 10, OutputBufferSize: 64 << 10,
			})
		},
	})}, nil
}

// pipeAddr is the name of a pipe.
type pipeAddr string

func (a pipeAddr) Network() string { return "pipe" }
func (a pipeAddr) String() string  { return string(a) }

// dialSocket opens a pipe of our user, so that its server cannot act as our user. Any
// user may have made a pipe of that name.
func dialSocket(ctx context.Context, name string) (net.Conn, error) {
	conn, err := winio.DialPipeContext(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := checkPipe(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// checkPipe refuses a pipe whose owner is not our user.
func checkPipe(conn net.Conn) error {
	pipe, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return errors.New("the owner of the named pipe is not known")
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return err
	}
	security, err := windows.GetSecurityInfo(windows.Handle(pipe.Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := security.Owner()
	if err != nil || !owner.Equals(user.User.Sid) {
		return errors.Join(errors.New("the named pipe is of another user"), err)
	}
	return nil
}
