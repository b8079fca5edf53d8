/** The parts of a session that the page uses. */
export type Session = { user: { name: string; email: string }; csrfToken: string }

/** An API key as the list shows it: never the key itself. */
export type ApiKey = {
  _id: string
  name: string
  prefix: string
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
}
