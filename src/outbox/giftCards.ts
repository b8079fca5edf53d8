/**
 * Orders gift cards from an HTTP gateway (docs/incentives.md, "A gift-card gateway"). Each order has a key, by which the gateway
 * recognises it when it is repeated, so that an order whose answer was lost is never paid twice.
 */
import { isDay } from '#kernel/time'
import { authorizationOf, type GatewayConfig, requestContent, tokenSecrets } from './gateway'
import { redact } from './redaction'
import { request } from './request'

/** What is ordered. `id` is the key of the order, `amount` a decimal number such as `25.00`. */
export type CardOrder = { id: string; brand: string; amount: string; currency: string }

/** What a participant uses. `expiresOn`: `YYYY-MM-DD`. */
export type Card = { code: string; pin: string | null; url: string | null; expiresOn: string | null }

/**
 * `refused`: the gateway says that this order is not carried out, and never will be. `open`: it was not carried out yet, or is being
 * carried out. `unknown`: it may have been carried out. After the last two it is asked for again with the same key.
 */
export type CardOutcome = { is: 'done'; card: Card } | { is: 'refused' | 'open' | 'unknown'; detail: string }

export type GiftCards = {
  /** Orders a card. Never rejects. */
  order(order: CardOrder): Promise<CardOutcome>
  /** How many orders may begin now. */
  free(): number
  /** Whether another order may begin. */
  isOpen(): boolean
  /** Counts work as running until it ends. */
  run(work: Promise<void>): void
  /** Resolves when nothing runs. */
  idle(): Promise<void>
  /** Lets no more work begin, and waits for what runs, at most `patience` milliseconds. */
  finish(patience: number): Promise<void>
}

/** How many orders run at the same time. */
const SLOTS = 2

export function giftCards(gateway: GatewayConfig): GiftCards {
  const busy = new Set<Promise<void>>()
  let isClosed = false
  const idle = async () => {
    while (busy.size) await Promise.all(busy)
  }
  return {
    order: (order) => requestCard(gateway, order),
    isOpen: () => !isClosed,
    free: () => (isClosed ? 0 : SLOTS - busy.size),
    run(work) {
      busy.add(work)
      void work.finally(() => busy.delete(work))
    },
    idle,
    async finish(patience) {
      isClosed = true
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, patience)
      await Promise.race([idle(), promise])
      clearTimeout(timer)
    },
  }
}

/** The most bytes of an answer that are read. */
const LARGEST = 65_536

async function requestCard(
  { url, body: template, token, timeLimit = 30_000 }: GatewayConfig,
  order: CardOrder,
): Promise<CardOutcome> {
  const { type, body } = requestContent(template, order)
  const headers = { 'Content-Type': type, 'Idempotency-Key': order.id, ...authorizationOf(token) }
  const result = await request({ method: 'POST', url, headers, body }, { timeLimit, sizeLimit: LARGEST })
  if (result.is === 'answered') return outcomeOf(result.status, result.text, tokenSecrets(token))
  const detail = `The gateway: ${result.problem.text}`
  if (result.isUnsent) return { is: 'open', detail }
  return { is: 'unknown', detail: `${detail} The card may have been paid. It is asked for again with the same key.` }
}

const textIn = (value: unknown, most: number): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && value.isWellFormed() ? value.trim() : null

/** The card in an answer; undefined if there is no code and no link. Only links that are safe to follow are kept. */
function cardIn(answer: Record<string, unknown>): Card | undefined {
  const [code, pin, link] = [textIn(answer.code, 500), textIn(answer.pin, 100), textIn(answer.url, 2000)]
  const url = link !== null && URL.parse(link)?.protocol === 'https:' ? link : null
  if (code === null && url === null) return undefined
  const expiresOn = textIn(answer.expiresOn, 10)
  return { code: code ?? '', pin, url, expiresOn: expiresOn !== null && isDay(expiresOn) ? expiresOn : null }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * What an answer means. Only `"status": "refused"` ends an order: any other refusal, such as that of a wrong token, says nothing of
 * an earlier attempt whose answer was lost.
 * @param secrets texts that are not stored
 */
export function outcomeOf(status: number, text: string, secrets: readonly string[]): CardOutcome {
  const answer = parseObject(text)
  const message = textIn(answer.message, 1000)
  if (answer.status === 'refused')
    return { is: 'refused', detail: redact(`The gateway refused: ${message ?? 'it gave no reason'}`, secrets) }
  const isSuccess = status >= 200 && status < 300
  const card = isSuccess && answer.status !== 'pending' ? cardIn(answer) : undefined
  if (card) return { is: 'done', card }
  if (isSuccess && answer.status === 'pending') return { is: 'open', detail: 'The gateway has not finished the order.' }
  // An answer of success without a code may hold it elsewhere: nothing of it is stored.
  if (isSuccess) return { is: 'unknown', detail: `The gateway answered ${status} without a code.` }
  const answerText = redact(`The gateway answered ${status}${message ? `: ${message}` : ''}`, secrets)
  return { is: status >= 500 ? 'unknown' : 'open', detail: answerText }
}
