/** Speaks with an OpenAI-compatible endpoint. The key is neither stored nor logged. */

import { refuse } from '#kernel/problem'
import type { Ai } from './pool'

const LONGEST_ANSWER = 8 << 20

export type Message = { role: 'system' | 'user' | 'assistant'; content: string }

/** JSON without the fence that some models put around it. */
export const unfenced = (content: string): string =>
  /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(content)?.[1] ?? content

/** What the endpoint says to these messages. @throws 503 that says in words why there is no answer */
export async function answered({ url, key, model, timeLimit = 180_000 }: Ai, messages: Message[]): Promise<string> {
  let response: Response
  let body: string
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({ model, messages, temperature: 0, response_format: { type: 'json_object' } }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimit),
    })
    body = await response.text()
  } catch (error) {
    const late = (error as Error).name === 'TimeoutError'
    throw refuse.unavailable(
      late
        ? `The AI endpoint did not answer within ${Math.ceil(timeLimit / 1000)} seconds.`
        : 'The AI endpoint cannot be reached.',
    )
  }
  if (!response.ok) throw refuse.unavailable(`The AI endpoint answered with status ${response.status}.`)
  if (body.length > LONGEST_ANSWER) throw refuse.unavailable('The answer of the AI endpoint is too long.')
  let content: unknown
  try {
    content = JSON.parse(body).choices?.[0]?.message?.content
  } catch {}
  if (typeof content !== 'string')
    throw refuse.unavailable('The AI endpoint answered in another form than that of chat completions.')
  return content
}
