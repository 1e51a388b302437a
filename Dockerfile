# gitnexus-mcp with a Chromium to hold the graph, for machines without a browser:
#
#   docker build -t gitnexus-mcp .
#   docker run -i --rm -v "$PWD:/repo:ro" gitnexus-mcp
FROM golang:1.26-trixie AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=devel
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X main.tag=$VERSION" -o /gitnexus-mcp ./cmd/gitnexus-mcp

FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /gitnexus-mcp /usr/local/bin/gitnexus-mcp
# As root, Chromium runs without its sandbox, which needs rights that a container
# does not have: the container is the sandbox.
WORKDIR /repo
ENV GITNEXUS_REPO=/repo GITNEXUS_BROWSER=headless
ENTRYPOINT ["gitnexus-mcp"]
