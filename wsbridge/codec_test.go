package wsbridge

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// The frame of a call is written by hand: every member has to arrive.
func TestCallFrame(t *testing.T) {
	full := Call{
		ID: "id \"1\"", Tool: "tool\\", Arguments: json.RawMessage(`{"a":"ä<"}`), Agent: "Ägent\n", Repo: "r\u2028", folder: "f", ReadOnly: true, Heavy: true,
		affinity: &affinity{Page: "s", Graph: "g"},
		Progress: func(float64, *float64, string) {},
	}
	for name, c := range map[string]Call{"full": full, "bare": {ID: "i", Tool: "t", Arguments: json.RawMessage("{}")}} {
		t.Run(name, func(t *testing.T) {
			e, err := decodeV2(dialectV2{}.call(&c, 1500*time.Millisecond))
			if err != nil {
				t.Fatal(err)
			}
			got := e.(callEvent)
			want := callEvent{c.ID, callParams{c.Tool, c.Arguments, callMeta{Agent: c.Agent, DeadlineMS: 1500, Repo: c.Repo, Folder: c.folder, ReadOnly: c.ReadOnly, Heavy: c.Heavy, Affinity: c.affinity}}}
			if c.Progress != nil {
				want.params.Meta.ProgressToken = c.ID
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
			meta := reflect.ValueOf(got.params.Meta)
			for i := range meta.NumField() {
				if name == "full" && meta.Field(i).IsZero() {
					t.Errorf("callMeta.%s is not written, or not tested", meta.Type().Field(i).Name)
				}
			}
		})
	}
}
