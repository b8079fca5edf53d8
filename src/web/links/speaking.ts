import { speaking } from '#web/ui/components'
import type { Speaker } from './texts'

export const { Provider: LinkSpeaking, use: useSpeaker } = speaking<Speaker>()
