/** A flag of a command, for its parser and its help. Without `takes` it is a switch. */
export type Option = {
  flag: string
  /** What the value is, such as `directory`. */
  takes?: string
  summary: string
  /** The environment variable with the same meaning; the flag takes precedence. */
  env?: string
  /** The default value, as the help shows it. */
  otherwise?: string
}

/** The values of the flags that were given: text, or true for a switch. */
export type Flags = Readonly<Record<string, string | true>>
export type Environment = Readonly<Record<string, string | undefined>>
