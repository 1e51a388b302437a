module github.com/gitnexus/gitnexus-mcp

go 1.26
