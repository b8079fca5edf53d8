import { useEffect, useRef } from 'preact/hooks'

/** Whether keys belong to something that is typed in, or to a dialog in front. */
const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input, select, textarea, [contenteditable], .popover') !== null)

/** Single keys of a page. They do nothing while somebody types, and none with Ctrl, Alt or Meta. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!act || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTaken(event.target))
        return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
