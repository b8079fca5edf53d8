/** Whether a finger or a button of the mouse is down on the page. */
import { useEffect } from 'preact/hooks'

let isDown = false
const waiting = new Set<() => void>()

/**
 * Calls this as soon as nothing is pressed, at once if nothing is. What appears or goes away under a pointer that is down moves the
 * button below it, and the press would be lost.
 */
export function afterPress(act: () => void): void {
  if (isDown) waiting.add(act)
  else act()
}

/** Watches presses while a form is shown. */
export function usePresses(): void {
  useEffect(() => {
    const begin = () => {
      isDown = true
    }
    // The click comes right after the pointer is up.
    const end = () =>
      setTimeout(() => {
        isDown = false
        const acts = [...waiting]
        waiting.clear()
        for (const act of acts) act()
      })
    addEventListener('pointerdown', begin, true)
    addEventListener('pointerup', end, true)
    addEventListener('pointercancel', end, true)
    return () => {
      removeEventListener('pointerdown', begin, true)
      removeEventListener('pointerup', end, true)
      removeEventListener('pointercancel', end, true)
      isDown = false
      waiting.clear()
    }
  }, [])
}

/** The second press of a double one on “Next” meets “Send”, which takes its place: it must neither send nor take the focus. */
export function endDoublePress(event: MouseEvent): void {
  const { target, detail } = event
  if (detail > 1 && target instanceof Element && target.closest('button[type=submit]')) event.preventDefault()
}
