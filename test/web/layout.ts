/** What can be read and reached on a page, for tests of narrow screens, large texts and screen readers. */
import type { Page } from 'playwright-core'

/** Shows texts in this size, in pixels, as a browser whose standard size is set so. */
export async function enlargeTexts(page: Page, size: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  await session.send('Page.setFontSizes', { fontSizes: { standard: size } })
  await page.waitForFunction((wanted) => getComputedStyle(document.documentElement).fontSize === wanted, `${size}px`)
}

/** What a screen reader says after the name of an element. */
export function descriptionOf(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent?.trim() ?? `no ${id}`).join(' ')
}

/** What is wider than the page or than the part around it, and so cannot be read. */
export function tooWide(): string[] {
  const parts = [...document.querySelectorAll('main, dialog[open]')]
  const allOf = (selector: string) => parts.flatMap((part) => [...part.querySelectorAll(selector)])
  const inside = allOf('*').filter((each) => {
    const { right, left, width } = each.getBoundingClientRect()
    return width > 0 && !each.closest('.hidden') && (right > innerWidth + 1 || left < -1)
  })
  const cut = allOf('input:not(.hidden, [type=radio], [type=checkbox]), .options, .button')
  return [...inside, ...cut.filter((each) => each.scrollWidth > each.clientWidth + 1)].map(
    (each) => `${each.tagName} ${each.className} ${each.id}`,
  )
}

/** The least width of a point of a scale. */
export const narrowestPoint = (): number =>
  Math.min(...Array.from(document.querySelectorAll('.point'), (each) => each.getBoundingClientRect().width))

/** The control that has the focus, if the menu covers it. */
export function underTheMenu(): string | undefined {
  const focused = document.activeElement
  const menu = document.querySelector('.menu-bar')
  if (!focused || !menu || menu.contains(focused) || !document.querySelector('form')?.contains(focused))
    return undefined
  const { top, bottom } = (focused.closest('.option, .point, .button') ?? focused).getBoundingClientRect()
  const bar = menu.getBoundingClientRect()
  if (!bar.height) return undefined // narrow screens have none over a form
  return Math.min(bottom, top + 40) > bar.top + 1 ? `${focused.tagName} ${focused.id} ${top} ${bar.top}` : undefined
}
