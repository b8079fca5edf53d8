/** A flag of a command, for its parser and its help. Without `takes` it is a switch. */
export type Option = {
  flag: string
  /** What its value is, such as `directory`. */
  takes?: string
  summary: string
  /** The environment variable that says the same; the flag wins. */
  env?: string
  /** What holds when it is not given, for the help. */
  otherwise?: string
}

/** The values of the flags that were given: text, or true for a switch. */
export type Flags = Readonly<Record<string, string | true>>
export type Environment = Readonly<Record<string, string | undefined>>
