import CallboardProgram

await EntryPoint.main()
