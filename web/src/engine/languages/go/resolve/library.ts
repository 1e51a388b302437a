/**
 * The little of the standard library that decides what happens inside a repository: interfaces that its own types
 * and interfaces embed, structs whose methods they promote, generic functions that hand its types on, and functions that
 * call methods of what they are handed (`run-by-library.ts`), of which results are left out that no type here is. Go's notation
 * without names; a `struct` lists its methods instead of its fields, `[n]` is an array of any length.
 */
export const LIBRARY = `
package 
type error interface{Error()string}
package archive/tar
type FileInfoNames interface{Gname()(string,error);IsDir()bool;ModTime()time.Time;Mode()io/fs.FileMode;Name()string;Size()int64;Sys()any;Uname()(string,error)}
func NewReader(io.Reader)
func NewWriter(io.Writer)
package archive/zip
func NewReader(io.ReaderAt,int64)
func NewWriter(io.Writer)
package bufio
func NewReader(io.Reader)*Reader
func NewReaderSize(io.Reader,int)*Reader
func NewScanner(io.Reader)*Scanner
func NewWriter(io.Writer)*Writer
func NewWriterSize(io.Writer,int)*Writer
type ReadWriter struct{Available()int;AvailableBuffer()[]byte;Discard(int)(int,error);Flush()error;Peek(int)([]byte,error);Read([]byte)(int,error);ReadByte()(byte,error);ReadBytes(byte)([]byte,error);ReadFrom(io.Reader)(int64,error);ReadLine()([]byte,bool,error);ReadRune()(rune,int,error);ReadSlice(byte)([]byte,error);ReadString(byte)(string,error);UnreadByte()error;UnreadRune()error;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error);WriteTo(io.Writer)(int64,error)}
type Reader struct{Buffered()int;Discard(int)(int,error);Peek(int)([]byte,error);Read([]byte)(int,error);ReadByte()(byte,error);ReadBytes(byte)([]byte,error);ReadLine()([]byte,bool,error);ReadRune()(rune,int,error);ReadSlice(byte)([]byte,error);ReadString(byte)(string,error);Reset(io.Reader);Size()int;UnreadByte()error;UnreadRune()error;WriteTo(io.Writer)(int64,error)}
type Scanner struct{Buffer([]byte,int);Bytes()[]byte;Err()error;Scan()bool;Split(SplitFunc);Text()string}
type Writer struct{Available()int;AvailableBuffer()[]byte;Buffered()int;Flush()error;ReadFrom(io.Reader)(int64,error);Reset(io.Writer);Size()int;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error)}
package bytes
type Buffer struct{Available()int;AvailableBuffer()[]byte;Bytes()[]byte;Cap()int;Grow(int);Len()int;Next(int)[]byte;Peek(int)([]byte,error);Read([]byte)(int,error);ReadByte()(byte,error);ReadBytes(byte)([]byte,error);ReadFrom(io.Reader)(int64,error);ReadRune()(rune,int,error);ReadString(byte)(string,error);Reset();String()string;Truncate(int);UnreadByte()error;UnreadRune()error;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error);WriteTo(io.Writer)(int64,error)}
type Reader struct{Len()int;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);ReadByte()(byte,error);ReadRune()(rune,int,error);Reset([]byte);Seek(int64,int)(int64,error);Size()int64;UnreadByte()error;UnreadRune()error;WriteTo(io.Writer)(int64,error)}
package cmp
func Or[T](...T)T
package compress/flate
func NewReader(io.Reader)
func NewWriter(io.Writer,int)
type Resetter interface{Reset(io.Reader,[]byte)error}
package compress/gzip
func NewReader(io.Reader)(*Reader,error)
func NewWriter(io.Writer)*Writer
func NewWriterLevel(io.Writer,int)(*Writer,error)
type Reader struct{Close()error;Multistream(bool);Read([]byte)(int,error);Reset(io.Reader)error}
type Writer struct{Close()error;Flush()error;Reset(io.Writer);Write([]byte)(int,error)}
package compress/zlib
func NewReader(io.Reader)
func NewWriter(io.Writer)
func NewWriterLevel(io.Writer,int)
type Resetter interface{Reset(io.Reader,[]byte)error}
package container/heap
func Fix(sort.Interface,int)
func Init(sort.Interface)
type Interface interface{Len()int;Less(int,int)bool;Pop()any;Push(any);Swap(int,int)}
func Pop(interface{Len()int;Less(int,int)bool;Pop()any;Swap(int,int)})
func Push(interface{Len()int;Less(int,int)bool;Push(any);Swap(int,int)},any)
func Remove(interface{Len()int;Less(int,int)bool;Pop()any;Swap(int,int)},int)
package container/list
type List struct{Back()*Element;Front()*Element;Init()*List;InsertAfter(any,*Element)*Element;InsertBefore(any,*Element)*Element;Len()int;MoveAfter(*Element,*Element);MoveBefore(*Element,*Element);MoveToBack(*Element);MoveToFront(*Element);PushBack(any)*Element;PushBackList(*List);PushFront(any)*Element;PushFrontList(*List);Remove(*Element)any}
package context
type Context interface{Deadline()(time.Time,bool);Done()chan struct{};Err()error;Value(any)any}
package crypto
type Decrypter interface{Decrypt(io.Reader,[]byte,DecrypterOpts)([]byte,error);Public()PublicKey}
type Signer interface{Public()PublicKey;Sign(io.Reader,[]byte,SignerOpts)([]byte,error)}
type SignerOpts interface{HashFunc()Hash}
package crypto/cipher
type AEAD interface{NonceSize()int;Open([]byte,[]byte,[]byte,[]byte)([]byte,error);Overhead()int;Seal([]byte,[]byte,[]byte,[]byte)[]byte}
type Block interface{BlockSize()int;Decrypt([]byte,[]byte);Encrypt([]byte,[]byte)}
type BlockMode interface{BlockSize()int;CryptBlocks([]byte,[]byte)}
type Stream interface{XORKeyStream([]byte,[]byte)}
package crypto/elliptic
type Curve interface{Add(*math/big.Int,*math/big.Int,*math/big.Int,*math/big.Int)(*math/big.Int,*math/big.Int);Double(*math/big.Int,*math/big.Int)(*math/big.Int,*math/big.Int);IsOnCurve(*math/big.Int,*math/big.Int)bool;Params()*CurveParams;ScalarBaseMult([]byte)(*math/big.Int,*math/big.Int);ScalarMult(*math/big.Int,*math/big.Int,[]byte)(*math/big.Int,*math/big.Int)}
package crypto/tls
func Client(net.Conn,*Config)*Conn
type ClientSessionCache interface{Get(string)(*ClientSessionState,bool);Put(string,*ClientSessionState)}
type Conn struct{Close()error;CloseWrite()error;ConnectionState()ConnectionState;Handshake()error;HandshakeContext(context.Context)error;LocalAddr()net.Addr;NetConn()net.Conn;OCSPResponse()[]byte;Read([]byte)(int,error);RemoteAddr()net.Addr;SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;VerifyHostname(string)error;Write([]byte)(int,error)}
func NewListener(net.Listener,*Config)
func Server(net.Conn,*Config)*Conn
package database/sql
type Conn struct{BeginTx(context.Context,*TxOptions)(*Tx,error);Close()error;ExecContext(context.Context,string,...any)(Result,error);PingContext(context.Context)error;PrepareContext(context.Context,string)(*Stmt,error);QueryContext(context.Context,string,...any)(*Rows,error);QueryRowContext(context.Context,string,...any)*Row;Raw(func(any)error)error}
type DB struct{Begin()(*Tx,error);BeginTx(context.Context,*TxOptions)(*Tx,error);Close()error;Conn(context.Context)(*Conn,error);Driver()database/sql/driver.Driver;Exec(string,...any)(Result,error);ExecContext(context.Context,string,...any)(Result,error);Ping()error;PingContext(context.Context)error;Prepare(string)(*Stmt,error);PrepareContext(context.Context,string)(*Stmt,error);Query(string,...any)(*Rows,error);QueryContext(context.Context,string,...any)(*Rows,error);QueryRow(string,...any)*Row;QueryRowContext(context.Context,string,...any)*Row;SetConnMaxIdleTime(time.Duration);SetConnMaxLifetime(time.Duration);SetMaxIdleConns(int);SetMaxOpenConns(int);Stats()DBStats}
func OpenDB(database/sql/driver.Connector)*DB
func Register(string,database/sql/driver.Driver)
type Result interface{LastInsertId()(int64,error);RowsAffected()(int64,error)}
type Row struct{Err()error;Scan(...any)error}
type Rows struct{Close()error;ColumnTypes()([]*ColumnType,error);Columns()([]string,error);Err()error;Next()bool;NextResultSet()bool;Scan(...any)error}
type Scanner interface{Scan(any)error}
type Stmt struct{Close()error;Exec(...any)(Result,error);ExecContext(context.Context,...any)(Result,error);Query(...any)(*Rows,error);QueryContext(context.Context,...any)(*Rows,error);QueryRow(...any)*Row;QueryRowContext(context.Context,...any)*Row}
type Tx struct{Commit()error;Exec(string,...any)(Result,error);ExecContext(context.Context,string,...any)(Result,error);Prepare(string)(*Stmt,error);PrepareContext(context.Context,string)(*Stmt,error);Query(string,...any)(*Rows,error);QueryContext(context.Context,string,...any)(*Rows,error);QueryRow(string,...any)*Row;QueryRowContext(context.Context,string,...any)*Row;Rollback()error;Stmt(*Stmt)*Stmt;StmtContext(context.Context,*Stmt)*Stmt}
package database/sql/driver
type ColumnConverter interface{ColumnConverter(int)ValueConverter}
type Conn interface{Begin()(Tx,error);Close()error;Prepare(string)(Stmt,error)}
type ConnBeginTx interface{BeginTx(context.Context,TxOptions)(Tx,error)}
type ConnPrepareContext interface{PrepareContext(context.Context,string)(Stmt,error)}
type Connector interface{Connect(context.Context)(Conn,error);Driver()Driver}
type Driver interface{Open(string)(Conn,error)}
type DriverContext interface{OpenConnector(string)(Connector,error)}
type Execer interface{Exec(string,[]Value)(Result,error)}
type ExecerContext interface{ExecContext(context.Context,string,[]NamedValue)(Result,error)}
type NamedValueChecker interface{CheckNamedValue(*NamedValue)error}
type Pinger interface{Ping(context.Context)error}
type Queryer interface{Query(string,[]Value)(Rows,error)}
type QueryerContext interface{QueryContext(context.Context,string,[]NamedValue)(Rows,error)}
type Result interface{LastInsertId()(int64,error);RowsAffected()(int64,error)}
type Rows interface{Close()error;Columns()[]string;Next([]Value)error}
type RowsNextResultSet interface{Close()error;Columns()[]string;HasNextResultSet()bool;Next([]Value)error;NextResultSet()error}
type SessionResetter interface{ResetSession(context.Context)error}
type Stmt interface{Close()error;Exec([]Value)(Result,error);NumInput()int;Query([]Value)(Rows,error)}
type StmtExecContext interface{ExecContext(context.Context,[]NamedValue)(Result,error)}
type StmtQueryContext interface{QueryContext(context.Context,[]NamedValue)(Rows,error)}
type Tx interface{Commit()error;Rollback()error}
type Validator interface{IsValid()bool}
type ValueConverter interface{ConvertValue(any)(Value,error)}
type Valuer interface{Value()(Value,error)}
package encoding
type BinaryAppender interface{AppendBinary([]byte)([]byte,error)}
type BinaryMarshaler interface{MarshalBinary()([]byte,error)}
type BinaryUnmarshaler interface{UnmarshalBinary([]byte)error}
type TextAppender interface{AppendText([]byte)([]byte,error)}
type TextMarshaler interface{MarshalText()([]byte,error)}
type TextUnmarshaler interface{UnmarshalText([]byte)error}
package encoding/base64
func NewDecoder(*Encoding,io.Reader)
func NewEncoder(*Encoding,io.Writer)
package encoding/binary
type AppendByteOrder interface{AppendUint16([]byte,uint16)[]byte;AppendUint32([]byte,uint32)[]byte;AppendUint64([]byte,uint64)[]byte;String()string}
type ByteOrder interface{PutUint16([]byte,uint16);PutUint32([]byte,uint32);PutUint64([]byte,uint64);String()string;Uint16([]byte)uint16;Uint32([]byte)uint32;Uint64([]byte)uint64}
func Read(io.Reader,ByteOrder,any)
func ReadUvarint(io.ByteReader)
func ReadVarint(io.ByteReader)
func Write(io.Writer,ByteOrder,any)
package encoding/csv
func NewReader(io.Reader)
func NewWriter(io.Writer)
package encoding/gob
type Decoder struct{Decode(any)error}
type Encoder struct{Encode(any)error}
type GobDecoder interface{GobDecode([]byte)error}
type GobEncoder interface{GobEncode()([]byte,error)}
func NewDecoder(io.Reader)*Decoder
func NewEncoder(io.Writer)*Encoder
package encoding/hex
func NewDecoder(io.Reader)
func NewEncoder(io.Writer)
package encoding/json
type Decoder struct{Buffered()io.Reader;Decode(any)error;DisallowUnknownFields();InputOffset()int64;More()bool;Token()(Token,error);UseNumber()}
type Encoder struct{Encode(any)error;SetEscapeHTML(bool);SetIndent(string,string)}
type Marshaler interface{MarshalJSON()([]byte,error)}
func NewDecoder(io.Reader)*Decoder
func NewEncoder(io.Writer)*Encoder
type Unmarshaler interface{UnmarshalJSON([]byte)error}
package encoding/pem
func Encode(io.Writer,*Block)
package encoding/xml
type Decoder struct{Decode(any)error;DecodeElement(any,*StartElement)error}
type Encoder struct{Encode(any)error;EncodeElement(any,StartElement)error}
type Marshaler interface{MarshalXML(*Encoder,StartElement)error}
type MarshalerAttr interface{MarshalXMLAttr(Name)(Attr,error)}
func NewDecoder(io.Reader)*Decoder
func NewEncoder(io.Writer)*Encoder
type TokenReader interface{Token()(Token,error)}
type Unmarshaler interface{UnmarshalXML(*Decoder,StartElement)error}
type UnmarshalerAttr interface{UnmarshalXMLAttr(Attr)error}
package errors
func AsType[E](error)(E,bool)
package expvar
type Var interface{String()string}
package flag
type FlagSet struct{Arg(int)string;Args()[]string;Bool(string,bool,string)*bool;BoolFunc(string,string,func(string)error);BoolVar(*bool,string,bool,string);Duration(string,time.Duration,string)*time.Duration;DurationVar(*time.Duration,string,time.Duration,string);ErrorHandling()ErrorHandling;Float64(string,float64,string)*float64;Float64Var(*float64,string,float64,string);Func(string,string,func(string)error);Init(string,ErrorHandling);Int(string,int,string)*int;Int64(string,int64,string)*int64;Int64Var(*int64,string,int64,string);IntVar(*int,string,int,string);Lookup(string)*Flag;NArg()int;NFlag()int;Name()string;Output()io.Writer;Parse([]string)error;Parsed()bool;PrintDefaults();Set(string,string)error;SetOutput(io.Writer);String(string,string,string)*string;StringVar(*string,string,string,string);TextVar(encoding.TextUnmarshaler,string,encoding.TextMarshaler,string);Uint(string,uint,string)*uint;Uint64(string,uint64,string)*uint64;Uint64Var(*uint64,string,uint64,string);UintVar(*uint,string,uint,string);Var(Value,string,string);Visit(func(*Flag));VisitAll(func(*Flag))}
type Getter interface{Get()any;Set(string)error;String()string}
func NewFlagSet(string,ErrorHandling)*FlagSet
func TextVar(encoding.TextUnmarshaler,string,encoding.TextMarshaler,string)
type Value interface{Set(string)error;String()string}
func Var(Value,string,string)
package fmt
type Formatter interface{Format(State,rune)}
func Fprint(io.Writer,...any)
func Fprintf(io.Writer,string,...any)
func Fprintln(io.Writer,...any)
func Fscan(io.Reader,...any)
func Fscanf(io.Reader,string,...any)
func Fscanln(io.Reader,...any)
type GoStringer interface{GoString()string}
type ScanState interface{Read([]byte)(int,error);ReadRune()(rune,int,error);SkipSpace();Token(bool,func(rune)bool)([]byte,error);UnreadRune()error;Width()(int,bool)}
type Scanner interface{Scan(ScanState,rune)error}
type State interface{Flag(int)bool;Precision()(int,bool);Width()(int,bool);Write([]byte)(int,error)}
type Stringer interface{String()string}
package go/ast
type Node interface{End()go/token.Pos;Pos()go/token.Pos}
type Visitor interface{Visit(Node)Visitor}
package go/types
type Importer interface{Import(string)(*Package,error)}
package hash
type Hash interface{BlockSize()int;Reset();Size()int;Sum([]byte)[]byte;Write([]byte)(int,error)}
type Hash32 interface{BlockSize()int;Reset();Size()int;Sum([]byte)[]byte;Sum32()uint32;Write([]byte)(int,error)}
type Hash64 interface{BlockSize()int;Reset();Size()int;Sum([]byte)[]byte;Sum64()uint64;Write([]byte)(int,error)}
package html/template
type Template struct{AddParseTree(string,*text/template/parse.Tree)(*Template,error);Clone()(*Template,error);DefinedTemplates()string;Delims(string,string)*Template;Execute(io.Writer,any)error;ExecuteTemplate(io.Writer,string,any)error;Funcs(text/template.FuncMap)*Template;Lookup(string)*Template;Name()string;New(string)*Template;Option(...string)*Template;Parse(string)(*Template,error);ParseFS(io/fs.FS,...string)(*Template,error);ParseFiles(...string)(*Template,error);ParseGlob(string)(*Template,error);Templates()[]*Template}
package image
type Image interface{At(int,int)image/color.Color;Bounds()Rectangle;ColorModel()image/color.Model}
type PalettedImage interface{At(int,int)image/color.Color;Bounds()Rectangle;ColorIndexAt(int,int)uint8;ColorModel()image/color.Model}
package image/color
type Color interface{RGBA()(uint32,uint32,uint32,uint32)}
type Model interface{Convert(Color)Color}
package image/draw
type Drawer interface{Draw(Image,image.Rectangle,image.Image,image.Point)}
type Image interface{At(int,int)image/color.Color;Bounds()image.Rectangle;ColorModel()image/color.Model;Set(int,int,image/color.Color)}
type Quantizer interface{Quantize(image/color.Palette,image.Image)image/color.Palette}
package io
type ByteReader interface{ReadByte()(byte,error)}
type ByteScanner interface{ReadByte()(byte,error);UnreadByte()error}
type ByteWriter interface{WriteByte(byte)error}
type Closer interface{Close()error}
func Copy(Writer,Reader)
func CopyBuffer(Writer,Reader,[]byte)
func CopyN(Writer,Reader,int64)
func LimitReader(Reader,int64)
type LimitedReader struct{Read([]byte)(int,error)}
func MultiReader(...Reader)
func MultiWriter(...Writer)
func NewSectionReader(ReaderAt,int64,int64)*SectionReader
func NopCloser(Reader)
type PipeReader struct{Close()error;CloseWithError(error)error;Read([]byte)(int,error)}
type PipeWriter struct{Close()error;CloseWithError(error)error;Write([]byte)(int,error)}
func ReadAll(Reader)
func ReadAtLeast(Reader,[]byte,int)
type ReadCloser interface{Close()error;Read([]byte)(int,error)}
func ReadFull(Reader,[]byte)
type ReadSeekCloser interface{Close()error;Read([]byte)(int,error);Seek(int64,int)(int64,error)}
type ReadSeeker interface{Read([]byte)(int,error);Seek(int64,int)(int64,error)}
type ReadWriteCloser interface{Close()error;Read([]byte)(int,error);Write([]byte)(int,error)}
type ReadWriteSeeker interface{Read([]byte)(int,error);Seek(int64,int)(int64,error);Write([]byte)(int,error)}
type ReadWriter interface{Read([]byte)(int,error);Write([]byte)(int,error)}
type Reader interface{Read([]byte)(int,error)}
type ReaderAt interface{ReadAt([]byte,int64)(int,error)}
type ReaderFrom interface{ReadFrom(Reader)(int64,error)}
type RuneReader interface{ReadRune()(rune,int,error)}
type RuneScanner interface{ReadRune()(rune,int,error);UnreadRune()error}
type SectionReader struct{Outer()(ReaderAt,int64,int64);Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);Seek(int64,int)(int64,error);Size()int64}
type Seeker interface{Seek(int64,int)(int64,error)}
type StringWriter interface{WriteString(string)(int,error)}
func TeeReader(Reader,Writer)
type WriteCloser interface{Close()error;Write([]byte)(int,error)}
type WriteSeeker interface{Seek(int64,int)(int64,error);Write([]byte)(int,error)}
func WriteString(Writer,string)
type Writer interface{Write([]byte)(int,error)}
type WriterAt interface{WriteAt([]byte,int64)(int,error)}
type WriterTo interface{WriteTo(Writer)(int64,error)}
package io/fs
type DirEntry interface{Info()(FileInfo,error);IsDir()bool;Name()string;Type()FileMode}
type FS interface{Open(string)(File,error)}
type File interface{Close()error;Read([]byte)(int,error);Stat()(FileInfo,error)}
type FileInfo interface{IsDir()bool;ModTime()time.Time;Mode()FileMode;Name()string;Size()int64;Sys()any}
func Glob(FS,string)
type GlobFS interface{Glob(string)([]string,error);Open(string)(File,error)}
func ReadDir(FS,string)
type ReadDirFS interface{Open(string)(File,error);ReadDir(string)([]DirEntry,error)}
type ReadDirFile interface{Close()error;Read([]byte)(int,error);ReadDir(int)([]DirEntry,error);Stat()(FileInfo,error)}
func ReadFile(FS,string)
type ReadFileFS interface{Open(string)(File,error);ReadFile(string)([]byte,error)}
type ReadLinkFS interface{Lstat(string)(FileInfo,error);Open(string)(File,error);ReadLink(string)(string,error)}
func Stat(FS,string)
type StatFS interface{Open(string)(File,error);Stat(string)(FileInfo,error)}
func Sub(FS,string)
type SubFS interface{Open(string)(File,error);Sub(string)(FS,error)}
func WalkDir(FS,string,WalkDirFunc)
package iter
func Pull[V](Seq[V])(func()(V,bool),func())
func Pull2[K,V](Seq2[K,V])(func()(K,V,bool),func())
type Seq[V] func(func(V)bool)
type Seq2[K,V] func(func(K,V)bool)
package log
type Logger struct{Fatal(...any);Fatalf(string,...any);Fatalln(...any);Flags()int;Output(int,string)error;Panic(...any);Panicf(string,...any);Panicln(...any);Prefix()string;Print(...any);Printf(string,...any);Println(...any);SetFlags(int);SetOutput(io.Writer);SetPrefix(string);Writer()io.Writer}
func New(io.Writer,string,int)*Logger
func SetOutput(io.Writer)
package log/slog
type Handler interface{Enabled(context.Context,Level)bool;Handle(context.Context,Record)error;WithAttrs([]Attr)Handler;WithGroup(string)Handler}
type Leveler interface{Level()Level}
type LogValuer interface{LogValue()Value}
type Logger struct{Debug(string,...any);DebugContext(context.Context,string,...any);Enabled(context.Context,Level)bool;Error(string,...any);ErrorContext(context.Context,string,...any);Handler()Handler;Info(string,...any);InfoContext(context.Context,string,...any);Log(context.Context,Level,string,...any);LogAttrs(context.Context,Level,string,...Attr);Warn(string,...any);WarnContext(context.Context,string,...any);With(...any)*Logger;WithGroup(string)*Logger}
func New(Handler)*Logger
func NewJSONHandler(io.Writer,*HandlerOptions)
func NewMultiHandler(...Handler)
func NewTextHandler(io.Writer,*HandlerOptions)
package maps
func All[Map map[K]V,K,V](Map)iter.Seq2[K,V]
func Clone[M map[K]V,K,V](M)M
func Collect[K,V](iter.Seq2[K,V])map[K]V
func Keys[Map map[K]V,K,V](Map)iter.Seq[K]
func Values[Map map[K]V,K,V](Map)iter.Seq[V]
package math/rand
type Source interface{Int63()int64;Seed(int64)}
type Source64 interface{Int63()int64;Seed(int64);Uint64()uint64}
package math/rand/v2
type Source interface{Uint64()uint64}
package mime/multipart
type File interface{Close()error;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);Seek(int64,int)(int64,error)}
package net
type Addr interface{Network()string;String()string}
type Conn interface{Close()error;LocalAddr()Addr;Read([]byte)(int,error);RemoteAddr()Addr;SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;Write([]byte)(int,error)}
type Dialer struct{Dial(string,string)(Conn,error);DialContext(context.Context,string,string)(Conn,error);DialIP(context.Context,string,net/netip.Addr,net/netip.Addr)(*IPConn,error);DialTCP(context.Context,string,net/netip.AddrPort,net/netip.AddrPort)(*TCPConn,error);DialUDP(context.Context,string,net/netip.AddrPort,net/netip.AddrPort)(*UDPConn,error);DialUnix(context.Context,string,*UnixAddr,*UnixAddr)(*UnixConn,error);MultipathTCP()bool;SetMultipathTCP(bool)}
type Error interface{Error()string;Temporary()bool;Timeout()bool}
type IPNet struct{Contains(IP)bool;Network()string;String()string}
type Listener interface{Accept()(Conn,error);Addr()Addr;Close()error}
type PacketConn interface{Close()error;LocalAddr()Addr;ReadFrom([]byte)(int,Addr,error);SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;WriteTo([]byte,Addr)(int,error)}
type TCPConn struct{Close()error;CloseRead()error;CloseWrite()error;File()(*os.File,error);LocalAddr()Addr;MultipathTCP()(bool,error);Read([]byte)(int,error);ReadFrom(io.Reader)(int64,error);RemoteAddr()Addr;SetDeadline(time.Time)error;SetKeepAlive(bool)error;SetKeepAliveConfig(KeepAliveConfig)error;SetKeepAlivePeriod(time.Duration)error;SetLinger(int)error;SetNoDelay(bool)error;SetReadBuffer(int)error;SetReadDeadline(time.Time)error;SetWriteBuffer(int)error;SetWriteDeadline(time.Time)error;SyscallConn()(syscall.RawConn,error);Write([]byte)(int,error);WriteTo(io.Writer)(int64,error)}
type TCPListener struct{Accept()(Conn,error);AcceptTCP()(*TCPConn,error);Addr()Addr;Close()error;File()(*os.File,error);SetDeadline(time.Time)error;SyscallConn()(syscall.RawConn,error)}
type UDPConn struct{Close()error;File()(*os.File,error);LocalAddr()Addr;Read([]byte)(int,error);ReadFrom([]byte)(int,Addr,error);ReadFromUDP([]byte)(int,*UDPAddr,error);ReadFromUDPAddrPort([]byte)(int,net/netip.AddrPort,error);ReadMsgUDP([]byte,[]byte)(int,int,int,*UDPAddr,error);ReadMsgUDPAddrPort([]byte,[]byte)(int,int,int,net/netip.AddrPort,error);RemoteAddr()Addr;SetDeadline(time.Time)error;SetReadBuffer(int)error;SetReadDeadline(time.Time)error;SetWriteBuffer(int)error;SetWriteDeadline(time.Time)error;SyscallConn()(syscall.RawConn,error);Write([]byte)(int,error);WriteMsgUDP([]byte,[]byte,*UDPAddr)(int,int,error);WriteMsgUDPAddrPort([]byte,[]byte,net/netip.AddrPort)(int,int,error);WriteTo([]byte,Addr)(int,error);WriteToUDP([]byte,*UDPAddr)(int,error);WriteToUDPAddrPort([]byte,net/netip.AddrPort)(int,error)}
type UnixConn struct{Close()error;CloseRead()error;CloseWrite()error;File()(*os.File,error);LocalAddr()Addr;Read([]byte)(int,error);ReadFrom([]byte)(int,Addr,error);ReadFromUnix([]byte)(int,*UnixAddr,error);ReadMsgUnix([]byte,[]byte)(int,int,int,*UnixAddr,error);RemoteAddr()Addr;SetDeadline(time.Time)error;SetReadBuffer(int)error;SetReadDeadline(time.Time)error;SetWriteBuffer(int)error;SetWriteDeadline(time.Time)error;SyscallConn()(syscall.RawConn,error);Write([]byte)(int,error);WriteMsgUnix([]byte,[]byte,*UnixAddr)(int,int,error);WriteTo([]byte,Addr)(int,error);WriteToUnix([]byte,*UnixAddr)(int,error)}
type UnixListener struct{Accept()(Conn,error);AcceptUnix()(*UnixConn,error);Addr()Addr;Close()error;File()(*os.File,error);SetDeadline(time.Time)error;SetUnlinkOnClose(bool);SyscallConn()(syscall.RawConn,error)}
package net/http
type Client struct{CloseIdleConnections();Do(*Request)(*Response,error);Get(string)(*Response,error);Head(string)(*Response,error);Post(string,string,io.Reader)(*Response,error);PostForm(string,net/url.Values)(*Response,error)}
type CloseNotifier interface{CloseNotify()chan bool}
type Cookie struct{String()string;Valid()error}
type CookieJar interface{Cookies(*net/url.URL)[]*Cookie;SetCookies(*net/url.URL,[]*Cookie)}
func Error(ResponseWriter,string,int)
func FS(io/fs.FS)
type File interface{Close()error;Read([]byte)(int,error);Readdir(int)([]io/fs.FileInfo,error);Seek(int64,int)(int64,error);Stat()(io/fs.FileInfo,error)}
func FileServer(FileSystem)
func FileServerFS(io/fs.FS)
type FileSystem interface{Open(string)(File,error)}
type Flusher interface{Flush()}
func Handle(string,Handler)
type Handler interface{ServeHTTP(ResponseWriter,*Request)}
type Hijacker interface{Hijack()(net.Conn,*bufio.ReadWriter,error)}
func ListenAndServe(string,Handler)
func ListenAndServeTLS(string,string,string,Handler)
func MaxBytesHandler(Handler,int64)
func MaxBytesReader(ResponseWriter,io.ReadCloser,int64)
func NewRequest(string,string,io.Reader)(*Request,error)
func NewRequestWithContext(context.Context,string,string,io.Reader)(*Request,error)
func NewResponseController(ResponseWriter)
func NotFound(ResponseWriter,*Request)
func Post(string,string,io.Reader)(*Response,error)
type Pusher interface{Push(string,*PushOptions)error}
func Redirect(ResponseWriter,*Request,string,int)
type Request struct{AddCookie(*Cookie);BasicAuth()(string,string,bool);Clone(context.Context)*Request;Context()context.Context;Cookie(string)(*Cookie,error);Cookies()[]*Cookie;CookiesNamed(string)[]*Cookie;FormFile(string)(mime/multipart.File,*mime/multipart.FileHeader,error);FormValue(string)string;MultipartReader()(*mime/multipart.Reader,error);ParseForm()error;ParseMultipartForm(int64)error;PathValue(string)string;PostFormValue(string)string;ProtoAtLeast(int,int)bool;Referer()string;SetBasicAuth(string,string);SetPathValue(string,string);UserAgent()string;WithContext(context.Context)*Request;Write(io.Writer)error;WriteProxy(io.Writer)error}
type Response struct{Cookies()[]*Cookie;Location()(*net/url.URL,error);ProtoAtLeast(int,int)bool;Write(io.Writer)error}
type ResponseWriter interface{Header()Header;Write([]byte)(int,error);WriteHeader(int)}
type RoundTripper interface{RoundTrip(*Request)(*Response,error)}
func Serve(net.Listener,Handler)
func ServeContent(ResponseWriter,*Request,string,time.Time,io.ReadSeeker)
func ServeFile(ResponseWriter,*Request,string)
func ServeFileFS(ResponseWriter,*Request,io/fs.FS,string)
type ServeMux struct{Handle(string,Handler);HandleFunc(string,func(ResponseWriter,*Request));Handler(*Request)(Handler,string);ServeHTTP(ResponseWriter,*Request)}
func ServeTLS(net.Listener,Handler,string,string)
type Server struct{Close()error;ListenAndServe()error;ListenAndServeTLS(string,string)error;RegisterOnShutdown(func());Serve(net.Listener)error;ServeTLS(net.Listener,string,string)error;SetKeepAlivesEnabled(bool);Shutdown(context.Context)error}
func StripPrefix(string,Handler)
func TimeoutHandler(Handler,time.Duration,string)
type Transport struct{CancelRequest(*Request);Clone()*Transport;CloseIdleConnections();NewClientConn(context.Context,string,string)(*ClientConn,error);RegisterProtocol(string,RoundTripper);RoundTrip(*Request)(*Response,error)}
package net/http/cookiejar
type PublicSuffixList interface{PublicSuffix(string)string;String()string}
package net/http/httptest
func NewRequest(string,string,io.Reader)*net/http.Request
func NewRequestWithContext(context.Context,string,string,io.Reader)*net/http.Request
func NewServer(net/http.Handler)*Server
func NewTLSServer(net/http.Handler)*Server
func NewUnstartedServer(net/http.Handler)*Server
type ResponseRecorder struct{Flush();Header()net/http.Header;Result()*net/http.Response;Write([]byte)(int,error);WriteHeader(int);WriteString(string)(int,error)}
type Server struct{Certificate()*crypto/x509.Certificate;Client()*net/http.Client;Close();CloseClientConnections();Start();StartTLS()}
package net/http/httputil
type BufferPool interface{Get()[]byte;Put([]byte)}
package net/rpc
type ClientCodec interface{Close()error;ReadResponseBody(any)error;ReadResponseHeader(*Response)error;WriteRequest(*Request,any)error}
type ServerCodec interface{Close()error;ReadRequestBody(any)error;ReadRequestHeader(*Request)error;WriteResponse(*Response,any)error}
package net/smtp
type Auth interface{Next([]byte,bool)([]byte,error);Start(*ServerInfo)(string,[]byte,error)}
package net/url
type URL struct{AppendBinary([]byte)([]byte,error);EscapedFragment()string;EscapedPath()string;Hostname()string;IsAbs()bool;JoinPath(...string)*URL;MarshalBinary()([]byte,error);Parse(string)(*URL,error);Port()string;Query()Values;Redacted()string;RequestURI()string;ResolveReference(*URL)*URL;String()string;UnmarshalBinary([]byte)error}
package os
type DirEntry = io/fs.DirEntry
type File struct{Chdir()error;Chmod(io/fs.FileMode)error;Chown(int,int)error;Close()error;Fd()uintptr;Name()string;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);ReadDir(int)([]io/fs.DirEntry,error);ReadFrom(io.Reader)(int64,error);Readdir(int)([]io/fs.FileInfo,error);Readdirnames(int)([]string,error);Seek(int64,int)(int64,error);SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;Stat()(io/fs.FileInfo,error);Sync()error;SyscallConn()(syscall.RawConn,error);Truncate(int64)error;Write([]byte)(int,error);WriteAt([]byte,int64)(int,error);WriteString(string)(int,error);WriteTo(io.Writer)(int64,error)}
type FileInfo = io/fs.FileInfo
type FileMode = io/fs.FileMode
type Signal interface{Signal();String()string}
package os/exec
type Cmd struct{CombinedOutput()([]byte,error);Environ()[]string;Output()([]byte,error);Run()error;Start()error;StderrPipe()(io.ReadCloser,error);StdinPipe()(io.WriteCloser,error);StdoutPipe()(io.ReadCloser,error);String()string;Wait()error}
package regexp
func MatchReader(string,io.RuneReader)
type Regexp struct{AppendText([]byte)([]byte,error);Copy()*Regexp;Expand([]byte,[]byte,[]byte,[]int)[]byte;ExpandString([]byte,string,string,[]int)[]byte;Find([]byte)[]byte;FindAll([]byte,int)[][]byte;FindAllIndex([]byte,int)[][]int;FindAllString(string,int)[]string;FindAllStringIndex(string,int)[][]int;FindAllStringSubmatch(string,int)[][]string;FindAllStringSubmatchIndex(string,int)[][]int;FindAllSubmatch([]byte,int)[][][]byte;FindAllSubmatchIndex([]byte,int)[][]int;FindIndex([]byte)[]int;FindReaderIndex(io.RuneReader)[]int;FindReaderSubmatchIndex(io.RuneReader)[]int;FindString(string)string;FindStringIndex(string)[]int;FindStringSubmatch(string)[]string;FindStringSubmatchIndex(string)[]int;FindSubmatch([]byte)[][]byte;FindSubmatchIndex([]byte)[]int;LiteralPrefix()(string,bool);Longest();MarshalText()([]byte,error);Match([]byte)bool;MatchReader(io.RuneReader)bool;MatchString(string)bool;NumSubexp()int;ReplaceAll([]byte,[]byte)[]byte;ReplaceAllFunc([]byte,func([]byte)[]byte)[]byte;ReplaceAllLiteral([]byte,[]byte)[]byte;ReplaceAllLiteralString(string,string)string;ReplaceAllString(string,string)string;ReplaceAllStringFunc(string,func(string)string)string;Split(string,int)[]string;String()string;SubexpIndex(string)int;SubexpNames()[]string;UnmarshalText([]byte)error}
package runtime
type Error interface{Error()string;RuntimeError()}
package slices
func All[Slice []E,E](Slice)iter.Seq2[int,E]
func AppendSeq[Slice []E,E](Slice,iter.Seq[E])Slice
func Backward[Slice []E,E](Slice)iter.Seq2[int,E]
func Chunk[Slice []E,E](Slice,int)iter.Seq[Slice]
func Clip[S []E,E](S)S
func Clone[S []E,E](S)S
func Collect[E](iter.Seq[E])[]E
func Compact[S []E,E](S)S
func CompactFunc[S []E,E](S,func(E,E)bool)S
func Concat[S []E,E](...S)S
func Delete[S []E,E](S,int,int)S
func DeleteFunc[S []E,E](S,func(E)bool)S
func Grow[S []E,E](S,int)S
func Insert[S []E,E](S,int,...E)S
func Max[S []E,E](S)E
func MaxFunc[S []E,E](S,func(E,E)int)E
func Min[S []E,E](S)E
func MinFunc[S []E,E](S,func(E,E)int)E
func Repeat[S []E,E](S,int)S
func Replace[S []E,E](S,int,int,...E)S
func Sorted[E](iter.Seq[E])[]E
func SortedFunc[E](iter.Seq[E],func(E,E)int)[]E
func SortedStableFunc[E](iter.Seq[E],func(E,E)int)[]E
func Values[Slice []E,E](Slice)iter.Seq[E]
package sort
type Interface interface{Len()int;Less(int,int)bool;Swap(int,int)}
func IsSorted(Interface)
func Reverse(Interface)
func Sort(Interface)
func Stable(Interface)
package strings
type Builder struct{Cap()int;Grow(int);Len()int;Reset();String()string;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error)}
type Reader struct{Len()int;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);ReadByte()(byte,error);ReadRune()(rune,int,error);Reset(string);Seek(int64,int)(int64,error);Size()int64;UnreadByte()error;UnreadRune()error;WriteTo(io.Writer)(int64,error)}
package sync
type Cond struct{Broadcast();Signal();Wait()}
type Locker interface{Lock();Unlock()}
type Map struct{Clear();CompareAndDelete(any,any)bool;CompareAndSwap(any,any,any)bool;Delete(any);Load(any)(any,bool);LoadAndDelete(any)(any,bool);LoadOrStore(any,any)(any,bool);Range(func(any,any)bool);Store(any,any);Swap(any,any)(any,bool)}
type Mutex struct{Lock();TryLock()bool;Unlock()}
func NewCond(Locker)*Cond
type Once struct{Do(func())}
func OnceValue[T](func()T)func()T
func OnceValues[T1,T2](func()(T1,T2))func()(T1,T2)
type Pool struct{Get()any;Put(any)}
type RWMutex struct{Lock();RLock();RLocker()Locker;RUnlock();TryLock()bool;TryRLock()bool;Unlock()}
type WaitGroup struct{Add(int);Done();Go(func());Wait()}
package sync/atomic
type Bool struct{CompareAndSwap(bool,bool)bool;Load()bool;Store(bool);Swap(bool)bool}
type Int32 struct{Add(int32)int32;And(int32)int32;CompareAndSwap(int32,int32)bool;Load()int32;Or(int32)int32;Store(int32);Swap(int32)int32}
type Int64 struct{Add(int64)int64;And(int64)int64;CompareAndSwap(int64,int64)bool;Load()int64;Or(int64)int64;Store(int64);Swap(int64)int64}
type Pointer[T] struct{CompareAndSwap(*T,*T)bool;Load()*T;Store(*T);Swap(*T)*T}
type Uint32 struct{Add(uint32)uint32;And(uint32)uint32;CompareAndSwap(uint32,uint32)bool;Load()uint32;Or(uint32)uint32;Store(uint32);Swap(uint32)uint32}
type Uint64 struct{Add(uint64)uint64;And(uint64)uint64;CompareAndSwap(uint64,uint64)bool;Load()uint64;Or(uint64)uint64;Store(uint64);Swap(uint64)uint64}
type Value struct{CompareAndSwap(any,any)bool;Load()any;Store(any);Swap(any)any}
package syscall
type Conn interface{SyscallConn()(RawConn,error)}
type RawConn interface{Control(func(uintptr))error;Read(func(uintptr)bool)error;Write(func(uintptr)bool)error}
package testing
type B struct{ArtifactDir()string;Attr(string,string);Chdir(string);Cleanup(func());Context()context.Context;Elapsed()time.Duration;Error(...any);Errorf(string,...any);Fail();FailNow();Failed()bool;Fatal(...any);Fatalf(string,...any);Helper();Log(...any);Logf(string,...any);Loop()bool;Name()string;Output()io.Writer;ReportAllocs();ReportMetric(float64,string);ResetTimer();Run(string,func(*B))bool;RunParallel(func(*PB));SetBytes(int64);SetParallelism(int);Setenv(string,string);Skip(...any);SkipNow();Skipf(string,...any);Skipped()bool;StartTimer();StopTimer();TempDir()string}
type T struct{ArtifactDir()string;Attr(string,string);Chdir(string);Cleanup(func());Context()context.Context;Deadline()(time.Time,bool);Error(...any);Errorf(string,...any);Fail();FailNow();Failed()bool;Fatal(...any);Fatalf(string,...any);Helper();Log(...any);Logf(string,...any);Name()string;Output()io.Writer;Parallel();Run(string,func(*T))bool;Setenv(string,string);Skip(...any);SkipNow();Skipf(string,...any);Skipped()bool;TempDir()string}
type TB interface{ArtifactDir()string;Attr(string,string);Chdir(string);Cleanup(func());Context()context.Context;Error(...any);Errorf(string,...any);Fail();FailNow();Failed()bool;Fatal(...any);Fatalf(string,...any);Helper();Log(...any);Logf(string,...any);Name()string;Output()io.Writer;Setenv(string,string);Skip(...any);SkipNow();Skipf(string,...any);Skipped()bool;TempDir()string}
package testing/quick
type Generator interface{Generate(*math/rand.Rand,int)reflect.Value}
package text/tabwriter
func NewWriter(io.Writer,int,int,int,byte,uint)*Writer
type Writer struct{Flush()error;Init(io.Writer,int,int,int,byte,uint)*Writer;Write([]byte)(int,error)}
package text/template
func ParseFS(io/fs.FS,...string)(*Template,error)
type Template struct{AddParseTree(string,*text/template/parse.Tree)(*Template,error);Clone()(*Template,error);Copy()*text/template/parse.Tree;DefinedTemplates()string;Delims(string,string)*Template;ErrorContext(text/template/parse.Node)(string,string);Execute(io.Writer,any)error;ExecuteTemplate(io.Writer,string,any)error;Funcs(FuncMap)*Template;Lookup(string)*Template;Name()string;New(string)*Template;Option(...string)*Template;Parse(string)(*Template,error);ParseFS(io/fs.FS,...string)(*Template,error);ParseFiles(...string)(*Template,error);ParseGlob(string)(*Template,error);Templates()[]*Template}
package time
type Ticker struct{Reset(Duration);Stop()}
type Time struct{Add(Duration)Time;AddDate(int,int,int)Time;After(Time)bool;AppendBinary([]byte)([]byte,error);AppendFormat([]byte,string)[]byte;AppendText([]byte)([]byte,error);Before(Time)bool;Clock()(int,int,int);Compare(Time)int;Date()(int,Month,int);Day()int;Equal(Time)bool;Format(string)string;GoString()string;GobDecode([]byte)error;GobEncode()([]byte,error);Hour()int;ISOWeek()(int,int);In(*Location)Time;IsDST()bool;IsZero()bool;Local()Time;Location()*Location;MarshalBinary()([]byte,error);MarshalJSON()([]byte,error);MarshalText()([]byte,error);Minute()int;Month()Month;Nanosecond()int;Round(Duration)Time;Second()int;String()string;Sub(Time)Duration;Truncate(Duration)Time;UTC()Time;Unix()int64;UnixMicro()int64;UnixMilli()int64;UnixNano()int64;UnmarshalBinary([]byte)error;UnmarshalJSON([]byte)error;UnmarshalText([]byte)error;Weekday()Weekday;Year()int;YearDay()int;Zone()(string,int);ZoneBounds()(Time,Time)}
type Timer struct{Reset(Duration)bool;Stop()bool}
package unique
type Handle[T] struct{Value()T}
func Make[T](T)Handle[T]
`;
