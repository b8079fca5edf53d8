/** The sheet: what the study asks of a person. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { studyText } from '#web/kit/language/studyText'
import { Notice, Progress } from '#web/kit/ui/components'
import { Rich } from '#web/kit/ui/rich'
import { headingsOf, textOf } from './sheetTree'
import { StepActions } from './stepActions'
import { useTranslator } from './translator'
import type { Flow } from './useFlow'

/** A sheet with as many headings has a list of them. */
const LONG = 4

/** How far down an element was seen, from 0 to 1. */
function useScrollShare(isDone: boolean) {
  const element = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(isDone ? 1 : 0)
  useEffect(() => {
    if (isDone) return undefined
    const look = () => {
      if (!element.current) return
      const { top, height } = element.current.getBoundingClientRect()
      const share = height ? Math.min(1, Math.max(0, (innerHeight - top) / height)) : 1
      setSeen((before) => Math.max(before, share))
    }
    look()
    // Its pictures may come later.
    const watch = new ResizeObserver(look)
    if (element.current) watch.observe(element.current)
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      watch.disconnect()
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [isDone])
  return { element, seen }
}

export function Information({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { session, course: activity, update, next } = flow
  const { sheet, hasRead } = session
  const { element, seen } = useScrollShare(hasRead)
  const [isTooSoon, setTooSoon] = useState(false)
  const headings = headingsOf(sheet.document)
  const idOf = (heading: (typeof headings)[number]) => `part-${headings.indexOf(heading)}`
  useEffect(() => {
    if (seen < 1 || hasRead) return
    activity.note({ type: 'readToEnd' })
    update({ hasRead: true })
    setTooSoon(false)
  }, [seen, hasRead])

  function submit(event: Event): void {
    event.preventDefault()
    if (sheet.readToEnd && !hasRead) setTooSoon(true)
    else next()
  }
  return (
    <form noValidate onSubmit={submit}>
      {headings.length >= LONG && <Contents titles={headings.map(textOf)} />}
      <div class="card sheet rich" ref={element} {...studyText('')}>
        <Rich nodes={sheet.document} top={2} idOf={idOf} />
      </div>
      {sheet.readToEnd && (
        <div class="reading">
          <Progress
            label={t('consent.read')}
            share={hasRead ? 1 : seen}
            note={hasRead ? t('consent.readDone') : t('consent.readShare', { share: Math.floor(seen * 100) })}
          />
        </div>
      )}
      {isTooSoon && (
        <Notice kind="fault" title={t('consent.readFirst')} isLive>
          {t('consent.readFirstNote')}
        </Notice>
      )}
      {!session.isInPerson && <p class="note">{t('consent.noHurry')}</p>}
      <StepActions flow={flow} />
    </form>
  )
}

/** Leads to the parts of the sheet. The address stays as it is: the browser's button goes back a step, not a part. */
function Contents({ titles }: { titles: readonly string[] }) {
  const { t } = useTranslator()
  function show(event: Event, at: number): void {
    event.preventDefault()
    const heading = document.getElementById(`part-${at}`)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }
  return (
    <details class="card fold contents">
      <summary>{t('consent.contents')}</summary>
      <nav aria-label={t('consent.contents')}>
        <ol>
          {titles.map((title, at) => (
            <li key={at}>
              <a href={`#part-${at}`} {...studyText('')} onClick={(event) => show(event, at)}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
    </details>
  )
}
