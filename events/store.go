package events

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
)

// migrations lead from one schema version to the next; the version is SQLite's
// user_version. Released ones never change.
var migrations = []string{
	`CREATE TABLE events (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		timestamp INTEGER NOT NULL, -- milliseconds since 1970
		category TEXT NOT NULL,
		event_type TEXT NOT NULL,
		session TEXT NOT NULL,
		agent TEXT NOT NULL,
		graph TEXT NOT NULL,
		call TEXT NOT NULL,
		tool TEXT NOT NULL,
		code TEXT NOT NULL,
		attempts INTEGER NOT NULL,
		duration_ms REAL NOT NULL,
		message TEXT NOT NULL,
		metadata TEXT, -- JSON
		weight INTEGER NOT NULL
	);
	CREATE INDEX events_time ON events (timestamp);
	CREATE INDEX events_failures ON events (timestamp, graph, code) WHERE category = 'call' AND code <> '';
	CREATE INDEX events_alerts ON events (graph, code, id) WHERE category = 'alert';`,
}

// openStore opens the file, creating it if need be, and brings its schema up to
// date. A file that is no database is put aside as FILE.broken first.
func openStore(ctx context.Context, file string) (*sql.DB, error) {
	db, err := tryStore(ctx, file)
	if !errors.Is(err, sqlite3.NOTADB) && !errors.Is(err, sqlite3.CORRUPT) {
		return db, err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if moved := os.Rename(file+suffix, file+".broken"+suffix); moved != nil && !errors.Is(moved, os.ErrNotExist) {
			return nil, errors.Join(err, moved)
		}
	}
	return tryStore(ctx, file)
}

func tryStore(ctx context.Context, file string) (_ *sql.DB, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600) // SQLite would make it readable for all
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	path := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(file))
	db, err := driver.Open("file:"+path+"?_txlock=immediate", prepare)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2) // the writer, and a query beside it
	db.SetMaxIdleConns(1)
	if err := migrate(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// prepare sets up a new connection. It takes no write lock unless the file is new:
// queries open connections while another process writes.
func prepare(c *sqlite3.Conn) error {
	const incremental = 2
	if err := c.Exec("PRAGMA busy_timeout = 5000"); err != nil {
		return err
	}
	mode, _, err := c.Prepare("PRAGMA auto_vacuum")
	if err != nil {
		return err
	}
	set := mode.Step() && mode.ColumnInt(0) == incremental
	if err := mode.Close(); err != nil {
		return err
	}
	if !set { // before journal_mode, which would fix it
		if err := c.Exec("PRAGMA auto_vacuum = incremental"); err != nil {
			return err
		}
	}
	return c.Exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = normal;
		PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -1024;`)
}

func migrate(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version == len(migrations) {
		return err
	}
	return transact(ctx, db, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if version > len(migrations) {
			return fmt.Errorf("the event log has schema version %d, made by a newer gitnexus-mcp; this one knows version %d", version, len(migrations))
		}
		for ; version < len(migrations); version++ {
			if _, err := tx.ExecContext(ctx, migrations[version]+fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
				return err
			}
		}
		return nil
	})
}

// transact runs f in a transaction that holds the write lock from its start.
func transact(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func insert(ctx context.Context, tx *sql.Tx, batch []Event) error {
	statement, err := tx.PrepareContext(ctx, `INSERT INTO events
		(timestamp, category, event_type, session, agent, graph, call, tool, code, attempts, duration_ms, message, metadata, weight)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { _ = statement.Close() }()
	for _, e := range batch {
		var metadata any
		if len(e.Metadata) > 0 {
			metadata = string(e.Metadata)
		}
		if _, err := statement.ExecContext(ctx, e.Time.UnixMilli(), e.Category, e.Type, e.Session, e.Agent, e.Graph, e.Call, e.Tool,
			e.Code, e.Attempts, float64(e.Duration)/float64(time.Millisecond), e.Message, metadata, cmp.Or(e.Weight, 1)); err != nil {
			return err
		}
	}
	return nil
}

// retain deletes events that are older than maxAge, and the oldest ones until
// the file's content fits maxSize bytes, and returns the room to the disk.
func retain(ctx context.Context, db *sql.DB, maxAge time.Duration, maxSize int64) error {
	if _, err := db.ExecContext(ctx, "DELETE FROM events WHERE timestamp < ?", time.Now().Add(-maxAge).UnixMilli()); err != nil {
		return err
	}
	for {
		var pages, free, size int64
		if err := db.QueryRowContext(ctx, "SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size").Scan(&pages, &free, &size); err != nil {
			return err
		}
		if (pages-free)*size > maxSize {
			// A tenth of the rows at a time, and all when few are left.
			result, err := db.ExecContext(ctx, "DELETE FROM events WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 10 FROM events)")
			if err != nil {
				return err
			}
			if n, err := result.RowsAffected(); err != nil || n == 0 {
				return err
			}
			continue
		}
		if free == 0 {
			return nil
		}
		_, err := db.ExecContext(ctx, "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(passive)")
		return err
	}
}
