/** The type-check of both projects. It fails too if the types have become expensive: a type that is derived from all operations shows here. */
const PROJECTS = [
  { config: 'tsconfig.json', instantiations: 2_650_000 },
  { config: 'tsconfig.worker.json', instantiations: 100_000 },
] as const

let isFailing = false
for (const { config, instantiations } of PROJECTS) {
  // One checker: several do the work on what they share once each, which takes twice the CPU and memory.
  const { stdout, exitCode } = Bun.spawnSync(
    [process.execPath, 'x', 'tsc', '--noEmit', '--checkers', '1', '--extendedDiagnostics', '-p', config],
    { stderr: 'inherit' },
  )
  const text = stdout.toString()
  const counted = Number(/^Instantiations:\s+(\d+)/m.exec(text)?.[1])
  const isExpensive = !(counted <= instantiations)
  const [errors = ''] = text.split(/^Files:/m)
  if (errors.trim()) console.error(errors.trim())
  if (isExpensive)
    console.error(
      `${config}: ${counted} instantiations of types, at most ${instantiations}. Write the types that a generic type makes.`,
    )
  isFailing ||= exitCode !== 0 || isExpensive
}
if (isFailing) process.exit(1)
