import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

type Props = {
  /** What the button shows, with its name in words. */
  button: ComponentChildren
  /** The name of the panel. */
  label: string
  /** A class of the button. */
  name: string
  /** Of the button, so that a key can open it. */
  id?: string
  /** What is in the panel, which is made when it is opened. @param close closes it */
  children: (close: () => void) => ComponentChildren
}

/** Puts a panel below its button, or above it if there is more room; on the side where the text begins. */
function place(panel: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetHeight: height, offsetWidth: width } = panel
  const isBelow = innerHeight - at.bottom >= height + 8 || at.top < innerHeight - at.bottom
  const start = getComputedStyle(button).direction === 'rtl' ? at.right - width : at.left
  panel.style.top = `${Math.max(4, isBelow ? at.bottom + 4 : at.top - height - 4)}px`
  panel.style.left = `${Math.max(4, Math.min(start, innerWidth - width - 4))}px`
}

/** A button with a panel that is open until something else is touched, Escape is pressed, or a choice is made. */
export function Popover({ button, label, name, id, children }: Props) {
  const panelId = useId()
  const [isOpen, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    panel.current?.hidePopover()
    opener.current?.focus()
  }
  useLayoutEffect(() => {
    if (!isOpen || !panel.current || !opener.current) return
    place(panel.current, opener.current)
    panel.current.querySelector<HTMLElement>('a, button, input, select')?.focus()
  }, [isOpen])
  return (
    <>
      <button
        ref={opener}
        type="button"
        id={id}
        class={name}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => panel.current?.togglePopover()}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={panelId}
        class="popover"
        role="dialog"
        aria-label={label}
        popover="auto"
        // At once, and not after the panel is there: the next key belongs to the panel.
        onBeforeToggle={({ newState }) => {
          const opens = newState === 'open'
          if (!opens && panel.current?.contains(document.activeElement)) opener.current?.focus()
          setOpen(opens)
        }}
      >
        {isOpen && children(close)}
      </div>
    </>
  )
}
