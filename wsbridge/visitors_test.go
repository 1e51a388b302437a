package wsbridge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// raw opens a connection and sends text.
func (r *rig) raw(text string) net.Conn {
	r.Helper()
	c, err := r.listener.dial(r.Context(), "", "")
	if err != nil {
		r.Fatal(err)
	}
	_, _ = c.Write([]byte(text)) // the hub may have ended it
	return c
}

// A program that opens connections and goes on slowly holds a bounded number, for
// a bounded time, and keeps no page out.
func TestSlowRequestsAreBounded(t *testing.T) {
	for name, begin := range map[string]string{
		"nothing":                       "",
		"half a head":                   "GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\n",
		"a slow body":                   "POST / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nContent-Length: 1000\r\n\r\nx",
		"a slow body to the repository": "POST /api/repo HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nContent-Length: 1000\r\n\r\nx",
	} {
		t.Run(name, func(t *testing.T) {
			withHub(t, Options{}, func(r *rig) {
				var conns []net.Conn
				for range 300 {
					c := r.raw(begin)
					go func() { _, _ = io.Copy(io.Discard, c) }()
					conns = append(conns, c)
				}
				synctest.Wait()
				count := func() int {
					r.hub.visitors.mu.Lock()
					defer r.hub.visitors.mu.Unlock()
					return len(r.hub.visitors.open)
				}
				if n := count(); n > maxVisitors {
					t.Errorf("%d connections are open", n)
				}
				r.page("s1", "repo", echo)
				if o := <-r.call(r.Context(), newCall("a")); o.err != nil {
					t.Error(o.err)
				}
				time.Sleep(requestTimeout + time.Second)
				if n := count(); n != 0 {
					t.Errorf("%d connections are open after %v", n, requestTimeout)
				}
				for _, c := range conns {
					_ = c.Close()
				}
				if n := len(r.hub.Status().Pages); n != 1 {
					t.Error("the page is gone")
				}
			})
		})
	}
}

// Somebody who asks for a file and does not read it is cut off; a page that reads
// the repository slowly is not.
func TestSlowReaders(t *testing.T) {
	large := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 100 {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	})
	withHub(t, serving(Options{App: large}, large), func(r *rig) {
		c := r.raw("GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\n\r\n")
		time.Sleep(answerTimeout + time.Second)
		if n, err := io.Copy(io.Discard, c); n > 1<<20 {
			t.Errorf("%d bytes after %v, %v", n, answerTimeout, err)
		}
		r.page("s1", "repo", echo)
		key := r.hub.where(isPage)[0].key
		c = r.raw(fmt.Sprintf("GET /api/repo HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", key))
		var got int64
		for {
			n, err := io.CopyN(io.Discard, c, 512<<10)
			got += n
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Error(err)
				}
				break
			}
			time.Sleep(answerTimeout)
		}
		if got < 100*64<<10 {
			t.Errorf("a page got %d bytes", got)
		}
	})
}

// A connection with a proof is not ended to make room, nor while it waits for a
// long answer.
func TestProvenConnectionsStay(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		t.Run(method, func(t *testing.T) { provenConnectionStays(t, method) })
	}
}

func provenConnectionStays(t *testing.T, method string) {
	waits := make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-waits:
			_, _ = io.WriteString(w, "the repo")
		case <-r.Context().Done():
		}
	})
	withHub(t, serving(Options{}, slow), func(r *rig) {
		waits = make(chan struct{})
		r.page("s1", "repo", echo)
		req, _ := http.NewRequestWithContext(context.Background(), method, "http://127.0.0.1:54319/api/repo", strings.NewReader(strings.Repeat("x", len(method)-3)))
		req.Header.Set("Authorization", "Bearer "+r.hub.where(isPage)[0].key)
		got := make(chan string, 1)
		go func() {
			resp, err := r.client.Do(req)
			if err != nil {
				got <- err.Error()
				return
			}
			body, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			got <- string(body)
		}()
		synctest.Wait()
		for range 2 * maxVisitors {
			defer func(c net.Conn) { _ = c.Close() }(r.raw(""))
		}
		synctest.Wait()
		time.Sleep(2 * provenTimeout)
		close(waits)
		if body := <-got; body != "the repo" {
			t.Errorf("got %s", body)
		}
	})
}

// What net/http answers before any handler is asked has none of our headers. It has a fixed
// text of its own as plain text, and nothing of the request or of ours.
func TestAnswersBeforeTheGate(t *testing.T) {
	const mark = "<script>alert(1)</script>"
	withHub(t, Options{}, func(r *rig) {
		for name, c := range map[string]struct{ request, status string }{
			"no host":          {"GET /" + mark + " HTTP/1.1\r\n\r\n", "400 Bad Request"},
			"two hosts":        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nHost: " + mark + "\r\n\r\n", "400 Bad Request"},
			"a bad host":       {"GET / HTTP/1.1\r\nHost: " + mark + "\r\n\r\n", "400 Bad Request"},
			"no request line":  {mark + "\r\n\r\n", "400 Bad Request"},
			"a bad header":     {"GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\n" + mark + "\r\n\r\n", "400 Bad Request"},
			"a header too big": {"GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nX: " + strings.Repeat(mark, 4000) + "\r\n\r\n", "431 Request Header Fields Too Large"},
			"another protocol": {"GET / HTTP/3.0\r\nHost: 127.0.0.1:54319\r\n\r\n", "505 HTTP Version Not Supported"},
			"an expectation":   {"GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nExpect: " + mark + "\r\n\r\n", "417 Expectation Failed"},
			"a bad encoding":   {"POST / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nTransfer-Encoding: " + mark + "\r\n\r\n", "501 Not Implemented"},
		} {
			conn := r.raw("")
			go func() { _, _ = conn.Write([]byte(c.request)) }() // the hub does not read all of it
			heard, _ := io.ReadAll(conn)
			head, body, _ := strings.Cut(string(heard), "\r\n\r\n")
			status, rest, _ := strings.Cut(head, "\r\n")
			if !strings.HasPrefix(status, "HTTP/1.1 "+c.status) || !strings.Contains(rest, "Connection: close") || strings.ContainsAny(body, "<>") || len(body) > 100 {
				r.Errorf("%s: %q", name, heard)
			}
			want := http.Header{}
			setSecurityHeaders(want)
			got, _ := textproto.NewReader(bufio.NewReader(strings.NewReader(rest + "\r\n\r\n"))).ReadMIMEHeader()
			for name, values := range want {
				if !slices.Equal(got[name], values) {
					r.Errorf("%s: %s is %q", c.status, name, got[name])
				}
			}
		}
		for name, request := range map[string]string{
			"OPTIONS * here":      "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nConnection: close\r\n\r\n",
			"OPTIONS * elsewhere": "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
			"expectations":        "POST / HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
		} {
			heard, _ := io.ReadAll(r.raw(request))
			if !strings.Contains(string(heard), "Content-Security-Policy: default-src 'none'") || strings.Contains(string(heard), " 200 ") {
				r.Errorf("%s: %q", name, heard)
			}
		}
	})
}

// A browser that opens links without end, or connections with the key of one, keeps no
// other browser and no peer out.
func TestOneBrowserDoesNotTakeAll(t *testing.T) {
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	withHub(t, Options{Events: slow}, func(r *rig) {
		links, last := 0, error(nil)
		for range maxOfPage + 10 {
			protocols, err := proveAs(r.Context(), r.client, testPort, rolePage)
			if err != nil {
				r.Fatal(err)
			}
			conn, _, err := r.dial(protocols, nil)
			if err != nil {
				last = err
				continue
			}
			links++
			p := r.start(&fakePage{}, conn)
			p.hello(fmt.Sprint("s", links))
			synctest.Wait()
		}
		if links != maxOfPage || last == nil || !strings.Contains(last.Error(), "503") {
			r.Errorf("%d links, then %v", links, last)
		}
		r.rawPeer(0)
		var key string
		for _, s := range r.hub.where(isPage) {
			key = s.key
		}
		var conns []net.Conn
		for range maxOfPage + 10 {
			conns = append(conns, r.raw("POST /api/events HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nAuthorization: Bearer "+key+"\r\nContent-Length: 1000\r\n\r\nx"))
			synctest.Wait()
		}
		r.hub.visitors.mu.Lock()
		held := len(r.hub.visitors.ofPage)
		r.hub.visitors.mu.Unlock()
		time.Sleep(requestTimeout + time.Second)
		ended := 0
		for _, c := range conns {
			_ = c.SetReadDeadline(time.Now().Add(time.Second))
			if _, err := c.Read(make([]byte, 100)); errors.Is(err, io.EOF) {
				ended++
			}
		}
		if held != maxOfPage || ended != 10 {
			r.Errorf("%d connections are held, %d have ended", held, ended)
		}
	})
}
