/** One question a screen: where the person is, and how they come to the others. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { isTablet } from '#web/kit/storage/smallStorage'
import type { FormState } from './formState'
import { controlOf } from './question'
import { isQuestion, type QuestionComponent } from './stage'

type Screen = FormState['shown']

/** Moves the focus to the question, or to a part of it. */
export function focusOn(dataType: string, part = ''): void {
  const control = document.getElementById(controlOf(dataType) + part) ?? document.getElementById(controlOf(dataType))
  control?.focus()
  control?.closest('.question')?.scrollIntoView({ block: 'start' })
}

/** Whether the person answers it: nothing that is calculated. */
const isAnswered = (component: Screen[number]): component is QuestionComponent =>
  isQuestion(component) && component.type.format !== 'calculation'

/** One question each; headings and calculations go with the question after them, the last ones with the last question. */
function screensOf(shown: Screen): Screen[] {
  const screens: Screen[] = []
  let open: Screen[number][] = []
  for (const component of shown) {
    open.push(component)
    if (!isAnswered(component)) continue
    screens.push(open)
    open = []
  }
  const last = screens.pop() ?? []
  return [...screens, [...last, ...open]]
}

/** What a screen asks: an answer may put others before it, or take them away. */
const idOf = (screen: Screen | undefined): string | undefined => (screen?.findLast(isAnswered) ?? screen?.at(-1))?.id

/** @param first where the person was, if they have begun before */
export function useScreens({ stage, shown, keepScreen }: FormState, first: number) {
  const isStepwise = stage.oneQuestionPerScreen
  const screens = isStepwise ? screensOf(shown) : [shown]
  const [place, setPlace] = useState(() => ({ number: first, id: idOf(screens[first]) }))
  const found = isStepwise ? screens.findIndex((each) => idOf(each) === place.id) : 0
  const at = found < 0 ? Math.min(place.number, screens.length - 1) : found
  const here = idOf(screens[at])

  const show = (to: number) => {
    setPlace({ number: to, id: idOf(screens[to]) })
    keepScreen(to)
  }
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    if (!isStepwise || (at === place.number && here === place.id)) return
    history.replaceState({ ...history.state, screen: at }, '')
    show(at)
  }, [at, here])

  // The browser's own button goes a question back, too.
  useEffect(() => {
    if (!isStepwise) return undefined
    if (typeof history.state?.screen !== 'number') history.replaceState({ ...history.state, screen: first }, '')
    const follow = () => {
      const to: unknown = history.state?.screen
      if (typeof to === 'number') latest.current(to)
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [isStepwise, first])

  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current || !isStepwise) {
      isFirst.current = false
      return
    }
    const next = screens[at]?.find(isAnswered)
    if (next) focusOn(next.dataType)
    else document.getElementById('page')?.focus()
  }, [here])

  return {
    screens,
    at,
    isLast: at >= screens.length - 1,
    show,
    /** By the form's own buttons. That is a step of the history, too; on a shared tablet nobody may go back by it. */
    turn(to: number) {
      if (!isTablet) history.pushState({ ...history.state, screen: to }, '')
      show(to)
    },
  }
}
