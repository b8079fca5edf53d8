/** The initials of a person, beside their name. */
export const Avatar = ({ name }: { name: string }) => (
  <span class="avatar small" aria-hidden="true">
    {initialsOf(name)}
  </span>
)

/** The first letters of the first and of the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s/]+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ? [...word][0] : ''))
  return letters.join('').toUpperCase()
}
