/** A client of an OpenAI-compatible endpoint. The key is neither stored nor logged. */

import { refuse } from '#kernel/problem'
import { request } from '#outbox/request'
import type { AiSettings } from './messages'

/** In bytes. */
const LONGEST_ANSWER = 8 << 20

export type Message = { role: 'system' | 'user' | 'assistant'; content: string }

/** Removes the Markdown code fence that some models put around JSON. */
export const withoutCodeFence = (content: string): string =>
  /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(content)?.[1] ?? content

/** Sends the messages to the endpoint and returns its reply. @throws 503 with the reason if there is no reply */
export async function chatCompletion(
  { url, key, model, timeLimit = 180_000 }: AiSettings,
  messages: Message[],
): Promise<string> {
  const result = await request(
    {
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}/chat/completions`,
      headers: { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({ model, messages, temperature: 0, response_format: { type: 'json_object' } }),
    },
    { timeLimit, sizeLimit: LONGEST_ANSWER },
  )
  if (result.is === 'unanswered') throw refuse.unavailable('aiUnanswered', { detail: result.problem })
  const { status, text: body, missing } = result
  if (status < 200 || status > 299) throw refuse.unavailable('aiStatus', { status })
  if (missing !== undefined) throw refuse.unavailable('aiCutShort', { detail: missing })
  let content: unknown
  try {
    content = JSON.parse(body).choices?.[0]?.message?.content
  } catch {}
  if (typeof content !== 'string') throw refuse.unavailable('aiOtherAnswer')
  return content
}
