// A Go program: its runtime sleeps and reads clocks through WASI's poll_oneoff, and ends a panic with exit code 2.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	switch os.Args[1] {
	case "args":
		fmt.Print(strings.Join(os.Args[2:], "|"), os.Getenv("WORD"))
	case "exit":
		os.Exit(3)
	case "panic":
		panic("on purpose")
	case "sleep":
		fmt.Print("before")
		time.Sleep(100 * time.Second)
	case "read":
		text, err := os.ReadFile(os.Args[2])
		if err != nil {
			fmt.Print(err)
			os.Exit(1)
		}
		fmt.Print(string(text))
	}
}
