module github.com/hashlanes/hashlanes/bindings/go

go 1.24
