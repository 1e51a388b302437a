package clients

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
)

// Link is an address that has the client ask its user whether to add the
// server; "" where the client has none.
func Link(c Client, s Server) string {
	entry := map[string]any{}
	for _, f := range c.fields(s) {
		entry[f.name] = f.value
	}
	switch c.ID {
	case "cursor":
		config, _ := json.Marshal(entry)
		return "cursor://anysphere.cursor-deeplink/mcp/install?" + url.Values{
			"name":   {s.Name},
			"config": {base64.StdEncoding.EncodeToString(config)},
		}.Encode()
	case "vscode":
		entry["name"] = s.Name
		config, _ := json.Marshal(entry)
		return "vscode:mcp/install?" + url.PathEscape(string(config))
	}
	return ""
}
