/** Where the person is in the app: the path below `/app/`, and how far down each page was read. */
import { signal } from '@preact/signals'
import { isTablet } from '#web/kit/storage/smallStorage'

const BASE = '/app/'

const here = (): string => (location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : '')

/** The path without `/app/`, such as `stages/abc::2`; empty for the first page. */
export const route = signal(here())

/** How far down each page of the history was read, by the number that its entry has. */
const scrollPositions = new Map<number, number>()
let current = 0
let newest = 0
let isFirst = true

/** How far down the page is to be shown to which the person came: 0, or where they left it if they went back. */
export const startAt = (): number => scrollPositions.get(current) ?? 0

/** Whether the page is the one with which the app was opened: there, the browser decides where the focus is. */
export const isOpening = (): boolean => isFirst

function arrive(number: number): void {
  current = number
  isFirst = false
  route.value = here()
}

/**
 * Goes to a page of the app. With `replace`, the page before is not kept in the history. On a shared tablet no page is kept: the person who comes
 * next must not find the pages of the last person by going back.
 */
export function go(path: string, { replace = isTablet }: { replace?: boolean } = {}): void {
  scrollPositions.set(current, scrollY)
  if (replace) history.replaceState({ number: current }, '', BASE + path)
  else history.pushState({ number: ++newest }, '', BASE + path)
  if (replace) scrollPositions.delete(current)
  arrive(replace ? current : newest)
}

/** Follows the browser's buttons, and links to pages of the app. */
export function followLinks(): void {
  // The browser would do it before the page has its content.
  history.scrollRestoration = 'manual'
  history.replaceState({ number: current }, '')
  addEventListener('popstate', () => {
    const number: unknown = history.state?.number
    // A link to a part of the same page.
    if (typeof number !== 'number') return
    scrollPositions.set(current, scrollY)
    arrive(number)
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.download || link.origin !== location.origin || link.hash) return
    if (!link.pathname.startsWith(BASE)) return
    event.preventDefault()
    const path = decodeURI(link.pathname).slice(BASE.length)
    go(path, { replace: isTablet || path === route.value })
  })
}
