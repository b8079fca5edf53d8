/** A client of an OpenAI-compatible endpoint. The key is neither stored nor logged. */

import { refuse } from '#kernel/problem'
import type { Ai } from './messages'

const LONGEST_ANSWER = 8 << 20

export type Message = { role: 'system' | 'user' | 'assistant'; content: string }

/** Removes the Markdown code fence that some models put around JSON. */
export const withoutCodeFence = (content: string): string =>
  /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(content)?.[1] ?? content

/** Sends the messages to the endpoint and returns its reply. @throws 503 with the reason if there is no reply */
export async function chatCompletion(
  { url, key, model, timeLimit = 180_000 }: Ai,
  messages: Message[],
): Promise<string> {
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
    const isTimeout = (error as Error).name === 'TimeoutError'
    throw refuse.unavailable(
      isTimeout
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
    throw refuse.unavailable('The response of the AI endpoint does not have the form of chat completions.')
  return content
}
