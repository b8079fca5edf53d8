import { bareHost, isLoopback } from '#kernel/address'
import { fault } from '#kernel/fault'

export type AiEndpoint = Readonly<{ url: string; key: string | undefined; model: string }> | undefined

/** The AI endpoint of the settings; undefined without an address. @throws a fault if a part of it is not valid */
export function aiOf(text: string | undefined, model: string | undefined, key: string | undefined): AiEndpoint {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw fault('--ai-url must be an address such as http://localhost:11434/v1, without a query or a password.')
  if (url.protocol === 'http:' && key !== undefined && !isLoopback(bareHost(url.hostname)))
    throw fault('--ai-url must begin with https, since its key would be sent unprotected.')
  if (model === undefined) throw fault('--ai-url needs --ai-model, the name of the model to ask.')
  if (key !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(key))
    throw fault('TRIALBOX_AI_KEY must be at most 1000 characters without spaces.')
  return Object.freeze({ url: url.href.replace(/\/+$/, ''), key, model })
}
