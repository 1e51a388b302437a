package wsbridge

import (
	"fmt"
	"strconv"
	"strings"
)

// program is one that runs on this machine, as far as the system tells.
type program struct {
	name string
	pid  int
}

// String is " by name (pid n)", or "" when nothing is known.
func (p program) String() string {
	switch {
	case p.pid == 0:
		return ""
	case p.name == "":
		return fmt.Sprintf(" by pid %d", p.pid)
	}
	return fmt.Sprintf(" by %s (pid %d)", p.name, p.pid)
}

// fromLsof reads the first process out of lsof -Fpc: lines of a letter and a
// value, p before the c that belongs to it.
func fromLsof(out string) program {
	var p program
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "p") && p.pid == 0:
			p.pid, _ = strconv.Atoi(line[1:])
		case strings.HasPrefix(line, "c") && p.name == "":
			p.name = line[1:]
		}
	}
	return p
}

// fromNetstat reads the process out of Windows' netstat -ano. The words of its
// state column are translated, so a listener is known by its foreign address.
func fromNetstat(out string, port int) program {
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) == 5 && strings.HasSuffix(f[2], ":0") && (f[1] == fmt.Sprint("127.0.0.1:", port) || f[1] == fmt.Sprint("0.0.0.0:", port)) {
			pid, _ := strconv.Atoi(f[4])
			return program{pid: pid}
		}
	}
	return program{}
}
