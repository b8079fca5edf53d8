/** The frame of one page: its heading, which gets the focus when the person comes to it, and what can be done with all of it. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Heading } from '#web/kit/page/page'
import { isTablet } from '#web/kit/storage/smallStorage'
import { Notice, Skeleton } from '#web/kit/ui/components'
import { isOpening, startAt } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import { Glyph } from './glyph'
import { useClock, useStudy } from './study'

type Props = {
  title: string
  /** Whether the study wrote the title. */
  isOfStudy?: boolean
  /** Below the title, such as the date. */
  note?: string | undefined
  /** Beside the title. */
  action?: ComponentChildren
  children: ComponentChildren
}

/** How long a page may take to become as long as it was, in milliseconds. */
const SCROLL_TIMEOUT = 3_000

/** Shows the part of the page where the person left it, as soon as the page is long enough. Returns what ends the wait. */
function scrollBack(target: number): () => void {
  scrollTo(0, target)
  if (target === 0 || Math.abs(scrollY - target) < 2) return () => {}
  const watch = new ResizeObserver(() => {
    scrollTo(0, target)
    if (Math.abs(scrollY - target) < 2) end()
  })
  const timer = setTimeout(() => end(), SCROLL_TIMEOUT)
  function end(): void {
    watch.disconnect()
    clearTimeout(timer)
    for (const event of ['wheel', 'touchstart', 'keydown']) removeEventListener(event, end)
  }
  // Who moves the page is where they want to be.
  for (const event of ['wheel', 'touchstart', 'keydown']) addEventListener(event, end, { passive: true })
  watch.observe(document.body)
  return end
}

export function Page({ title, isOfStudy, note, action, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { me } = useStudy()
  const study = me?.trial.name ?? 'Trialbox'
  useEffect(() => {
    // The browser keeps titles in lists of its own.
    document.title = isTablet ? 'Trialbox' : title === study ? title : `${title} · ${study}`
  }, [title, study])
  useEffect(() => {
    if (isOpening()) return undefined
    heading.current?.focus({ preventScroll: true })
    return scrollBack(startAt())
  }, [])
  return (
    <>
      <div class="page-head">
        <div>
          <Heading title={title} isOfStudy={isOfStudy} heading={heading} />
          {note && <p class="page-note">{note}</p>}
        </div>
        {action}
      </div>
      {children}
    </>
  )
}

type Copy<T> = {
  value: T | undefined
  /** When the server said it. */
  at?: string | undefined
  isLoading: boolean
  fault?: string | undefined
  refresh(): Promise<void>
}

/** What was read, as soon as there is something; until then its outline, or why there is nothing. */
export function CopyContent<T>({ copy, children }: { copy: Copy<T>; children: (value: T) => ComponentChildren }) {
  if (copy.value !== undefined)
    return (
      <>
        {copy.fault && copy.at && <OfflineNote at={copy.at} />}
        {children(copy.value)}
      </>
    )
  if (copy.fault) return <ReadFailure fault={copy.fault} onAgain={copy.refresh} />
  return <Skeleton lines={5} />
}

/** What is shown is what the device knew: the server cannot be asked now. */
function OfflineNote({ at }: { at: string }) {
  const { t } = useTranslator()
  const clock = useClock()
  return (
    <p class="note as-of" role="status">
      {t('app.asOf', { time: clock.moment(at) })}
    </p>
  )
}

function ReadFailure({ fault, onAgain }: { fault: string; onAgain: () => void }) {
  const { t } = useTranslator()
  return (
    <Notice kind="warning" title={t('app.notRead')} isLive>
      <p>{fault}</p>
      <button type="button" class="plain" onClick={onAgain}>
        {t('site.again')}
      </button>
    </Notice>
  )
}

/** Reads everything again. */
export function RefreshButton({ isLoading, onPress }: { isLoading: boolean; onPress: () => void }) {
  const { t } = useTranslator()
  return (
    <button
      type="button"
      class={isLoading ? 'round turning' : 'round'}
      aria-label={t('app.refresh')}
      title={t('app.refresh')}
      onClick={() => !isLoading && onPress()}
    >
      <Glyph name="refresh" />
    </button>
  )
}
