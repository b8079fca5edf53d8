import { type ComponentChildren, createContext, type Provider } from 'preact'
import { useContext } from 'preact/hooks'
import type { Speaker } from '#web/common/texts'

/** Makes the context in which the components of a group of pages find the functions for their language. */
export function speaking<S extends Speaker>() {
  const context = createContext<S | undefined>(undefined)
  return {
    Provider: context.Provider,
    use(): S {
      const speaker = useContext(context)
      if (!speaker) throw new Error('A component is outside of the page.')
      return speaker
    },
  }
}

const common = speaking<Speaker>()

/** The functions with which the components of all pages speak. */
export const useSpeaker = common.use

/** Makes the language known to the components of all pages, and to those of this group. */
export function Speaking<S extends Speaker>(props: {
  speaker: S
  provider: Provider<S | undefined>
  children: ComponentChildren
}) {
  const { speaker, provider: Own, children } = props
  return (
    <common.Provider value={speaker}>
      <Own value={speaker}>{children}</Own>
    </common.Provider>
  )
}
