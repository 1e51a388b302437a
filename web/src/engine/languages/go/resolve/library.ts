/**
 * The little of the standard library that decides what happens inside a repository: interfaces that its own types
 * and interfaces embed, and generic functions that hand its types on. Go's notation without names; a `struct` lists
 * its methods instead of its fields, `[n]` is an array of any length.
 */
export const LIBRARY = `
package 
type error interface{Error()string}
package cmp
func Or[T](...T)T
package container/heap
type Interface interface{Len()int;Less(int,int)bool;Pop()any;Push(any);Swap(int,int)}
package context
type Context interface{Deadline()(time.Time,bool);Done()chan struct{};Err()error;Value(any)any}
package database/sql
type Result interface{LastInsertId()(int64,error);RowsAffected()(int64,error)}
type Scanner interface{Scan(any)error}
package encoding
type BinaryMarshaler interface{MarshalBinary()([]byte,error)}
type BinaryUnmarshaler interface{UnmarshalBinary([]byte)error}
type TextMarshaler interface{MarshalText()([]byte,error)}
type TextUnmarshaler interface{UnmarshalText([]byte)error}
package encoding/json
type Marshaler interface{MarshalJSON()([]byte,error)}
type Unmarshaler interface{UnmarshalJSON([]byte)error}
package errors
func AsType[E](error)(E,bool)
package expvar
type Var interface{String()string}
package flag
type Getter interface{Get()any;Set(string)error;String()string}
type Value interface{Set(string)error;String()string}
package fmt
type Formatter interface{Format(State,rune)}
type GoStringer interface{GoString()string}
type Scanner interface{Scan(ScanState,rune)error}
type State interface{Flag(int)bool;Precision()(int,bool);Width()(int,bool);Write([]byte)(int,error)}
type Stringer interface{String()string}
package hash
type Hash interface{BlockSize()int;Reset();Size()int;Sum([]byte)[]byte;Write([]byte)(int,error)}
type Hash32 interface{BlockSize()int;Reset();Size()int;Sum([]byte)[]byte;Sum32()uint32;Write([]byte)(int,error)}
type Hash64 interface{BlockSize()int;Reset();Size()int;Sum([]byte)[]byte;Sum64()uint64;Write([]byte)(int,error)}
package image
type Image interface{At(int,int)image/color.Color;Bounds()Rectangle;ColorModel()image/color.Model}
package image/color
type Color interface{RGBA()(uint32,uint32,uint32,uint32)}
type Model interface{Convert(Color)Color}
package io
type ByteReader interface{ReadByte()(byte,error)}
type ByteWriter interface{WriteByte(byte)error}
type Closer interface{Close()error}
type ReadCloser interface{Close()error;Read([]byte)(int,error)}
type ReadSeeker interface{Read([]byte)(int,error);Seek(int64,int)(int64,error)}
type ReadWriteCloser interface{Close()error;Read([]byte)(int,error);Write([]byte)(int,error)}
type ReadWriteSeeker interface{Read([]byte)(int,error);Seek(int64,int)(int64,error);Write([]byte)(int,error)}
type ReadWriter interface{Read([]byte)(int,error);Write([]byte)(int,error)}
type Reader interface{Read([]byte)(int,error)}
type ReaderAt interface{ReadAt([]byte,int64)(int,error)}
type ReaderFrom interface{ReadFrom(Reader)(int64,error)}
type RuneReader interface{ReadRune()(rune,int,error)}
type Seeker interface{Seek(int64,int)(int64,error)}
type StringWriter interface{WriteString(string)(int,error)}
type WriteCloser interface{Close()error;Write([]byte)(int,error)}
type WriteSeeker interface{Seek(int64,int)(int64,error);Write([]byte)(int,error)}
type Writer interface{Write([]byte)(int,error)}
type WriterAt interface{WriteAt([]byte,int64)(int,error)}
type WriterTo interface{WriteTo(Writer)(int64,error)}
package io/fs
type DirEntry interface{Info()(FileInfo,error);IsDir()bool;Name()string;Type()FileMode}
type FS interface{Open(string)(File,error)}
type File interface{Close()error;Read([]byte)(int,error);Stat()(FileInfo,error)}
type FileInfo interface{IsDir()bool;ModTime()time.Time;Mode()FileMode;Name()string;Size()int64;Sys()any}
type ReadDirFS interface{Open(string)(File,error);ReadDir(string)([]DirEntry,error)}
type ReadDirFile interface{Close()error;Read([]byte)(int,error);ReadDir(int)([]DirEntry,error);Stat()(FileInfo,error)}
type ReadFileFS interface{Open(string)(File,error);ReadFile(string)([]byte,error)}
type StatFS interface{Open(string)(File,error);Stat(string)(FileInfo,error)}
package iter
func Pull[V](Seq[V])(func()(V,bool),func())
func Pull2[K,V](Seq2[K,V])(func()(K,V,bool),func())
type Seq[V] func(func(V)bool)
type Seq2[K,V] func(func(K,V)bool)
package log/slog
type Handler interface{Enabled(context.Context,Level)bool;Handle(context.Context,Record)error;WithAttrs([]Attr)Handler;WithGroup(string)Handler}
type Leveler interface{Level()Level}
type LogValuer interface{LogValue()Value}
package maps
func All[Map map[K]V,K,V](Map)iter.Seq2[K,V]
func Clone[M map[K]V,K,V](M)M
func Collect[K,V](iter.Seq2[K,V])map[K]V
func Keys[Map map[K]V,K,V](Map)iter.Seq[K]
func Values[Map map[K]V,K,V](Map)iter.Seq[V]
package net
type Addr interface{Network()string;String()string}
type Conn interface{Close()error;LocalAddr()Addr;Read([]byte)(int,error);RemoteAddr()Addr;SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;Write([]byte)(int,error)}
type Error interface{Error()string;Temporary()bool;Timeout()bool}
type Listener interface{Accept()(Conn,error);Addr()Addr;Close()error}
type PacketConn interface{Close()error;LocalAddr()Addr;ReadFrom([]byte)(int,Addr,error);SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;WriteTo([]byte,Addr)(int,error)}
package net/http
type CookieJar interface{Cookies(*net/url.URL)[]*Cookie;SetCookies(*net/url.URL,[]*Cookie)}
type File interface{Close()error;Read([]byte)(int,error);Readdir(int)([]io/fs.FileInfo,error);Seek(int64,int)(int64,error);Stat()(io/fs.FileInfo,error)}
type FileSystem interface{Open(string)(File,error)}
type Flusher interface{Flush()}
type Handler interface{ServeHTTP(ResponseWriter,*Request)}
type Hijacker interface{Hijack()(net.Conn,*bufio.ReadWriter,error)}
type ResponseWriter interface{Header()Header;Write([]byte)(int,error);WriteHeader(int)}
type RoundTripper interface{RoundTrip(*Request)(*Response,error)}
package os
type File struct{Chdir()error;Chmod(io/fs.FileMode)error;Chown(int,int)error;Close()error;Fd()uintptr;Name()string;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);ReadDir(int)([]io/fs.DirEntry,error);ReadFrom(io.Reader)(int64,error);Readdir(int)([]io/fs.FileInfo,error);Readdirnames(int)([]string,error);Seek(int64,int)(int64,error);SetDeadline(time.Time)error;SetReadDeadline(time.Time)error;SetWriteDeadline(time.Time)error;Stat()(io/fs.FileInfo,error);Sync()error;SyscallConn()(syscall.RawConn,error);Truncate(int64)error;Write([]byte)(int,error);WriteAt([]byte,int64)(int,error);WriteString(string)(int,error);WriteTo(io.Writer)(int64,error)}
type DirEntry = io/fs.DirEntry
type FileInfo = io/fs.FileInfo
type FileMode = io/fs.FileMode
type Signal interface{Signal();String()string}
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
package sync
type Locker interface{Lock();Unlock()}
type Mutex struct{Lock();TryLock()bool;Unlock()}
func OnceValue[T](func()T)func()T
func OnceValues[T1,T2](func()(T1,T2))func()(T1,T2)
type RWMutex struct{Lock();RLock();RLocker()Locker;RUnlock();TryLock()bool;TryRLock()bool;Unlock()}
type WaitGroup struct{Add(int);Done();Go(func());Wait()}
package sync/atomic
type Pointer[T] struct{CompareAndSwap(*T,*T)bool;Load()*T;Store(*T);Swap(*T)*T}
package unique
type Handle[T] struct{Value()T}
func Make[T](T)Handle[T]
package bufio
type Reader struct{Buffered()int;Discard(int)(int,error);Peek(int)([]byte,error);Read([]byte)(int,error);ReadByte()(byte,error);ReadBytes(byte)([]byte,error);ReadLine()([]byte,bool,error);ReadRune()(rune,int,error);ReadSlice(byte)([]byte,error);ReadString(byte)(string,error);Reset(io.Reader);Size()int;UnreadByte()error;UnreadRune()error;WriteTo(io.Writer)(int64,error)}
type Writer struct{Available()int;AvailableBuffer()[]byte;Buffered()int;Flush()error;ReadFrom(io.Reader)(int64,error);Reset(io.Writer);Size()int;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error)}
package bytes
type Buffer struct{Available()int;AvailableBuffer()[]byte;Bytes()[]byte;Cap()int;Grow(int);Len()int;Next(int)[]byte;Peek(int)([]byte,error);Read([]byte)(int,error);ReadByte()(byte,error);ReadBytes(byte)([]byte,error);ReadFrom(io.Reader)(int64,error);ReadRune()(rune,int,error);ReadString(byte)(string,error);Reset();String()string;Truncate(int);UnreadByte()error;UnreadRune()error;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error);WriteTo(io.Writer)(int64,error)}
type Reader struct{Len()int;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);ReadByte()(byte,error);ReadRune()(rune,int,error);Reset([]byte);Seek(int64,int)(int64,error);Size()int64;UnreadByte()error;UnreadRune()error;WriteTo(io.Writer)(int64,error)}
package strings
type Builder struct{Cap()int;Grow(int);Len()int;Reset();String()string;Write([]byte)(int,error);WriteByte(byte)error;WriteRune(rune)(int,error);WriteString(string)(int,error)}
type Reader struct{Len()int;Read([]byte)(int,error);ReadAt([]byte,int64)(int,error);ReadByte()(byte,error);ReadRune()(rune,int,error);Reset(string);Seek(int64,int)(int64,error);Size()int64;UnreadByte()error;UnreadRune()error;WriteTo(io.Writer)(int64,error)}
package testing
type B struct{ArtifactDir()string;Attr(string,string);Chdir(string);Cleanup(func());Context()context.Context;Elapsed()time.Duration;Error(...any);Errorf(string,...any);Fail();FailNow();Failed()bool;Fatal(...any);Fatalf(string,...any);Helper();Log(...any);Logf(string,...any);Loop()bool;Name()string;Output()io.Writer;ReportAllocs();ReportMetric(float64,string);ResetTimer();Run(string,func(*B))bool;RunParallel(func(*PB));SetBytes(int64);SetParallelism(int);Setenv(string,string);Skip(...any);SkipNow();Skipf(string,...any);Skipped()bool;StartTimer();StopTimer();TempDir()string}
type T struct{ArtifactDir()string;Attr(string,string);Chdir(string);Cleanup(func());Context()context.Context;Deadline()(time.Time,bool);Error(...any);Errorf(string,...any);Fail();FailNow();Failed()bool;Fatal(...any);Fatalf(string,...any);Helper();Log(...any);Logf(string,...any);Name()string;Output()io.Writer;Parallel();Run(string,func(*T))bool;Setenv(string,string);Skip(...any);SkipNow();Skipf(string,...any);Skipped()bool;TempDir()string}
type TB interface{ArtifactDir()string;Attr(string,string);Chdir(string);Cleanup(func());Context()context.Context;Error(...any);Errorf(string,...any);Fail();FailNow();Failed()bool;Fatal(...any);Fatalf(string,...any);Helper();Log(...any);Logf(string,...any);Name()string;Output()io.Writer;Setenv(string,string);Skip(...any);SkipNow();Skipf(string,...any);Skipped()bool;TempDir()string}
`;
