/** What is said of refusals in a language. */
export type RefusalParts = {
  /** By code. */
  sentences: Readonly<Record<string, string>>
  /** What is missing or in use already. */
  nouns: Readonly<Record<string, string>>
  /** What can be wrong with an answer, by code, as it follows the title of the question. */
  answers: Readonly<Record<string, string>>
  /** How the title and that are joined. */
  answer: string
}

const prefixed = (prefix: string, texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${prefix}:${key}`, text]))

/** All of them in one table, as pages read them. */
export const joinParts = ({ sentences, nouns, answers, answer }: RefusalParts): Record<string, string> => ({
  ...sentences,
  ...prefixed('noun', nouns),
  ...prefixed('answer', answers),
  answer,
})
