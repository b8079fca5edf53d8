import { id, shape, text } from '#wire/words'

/** A member of staff as others see them who read what they wrote or signed. */
export const StaffMember = shape('StaffMember', { _id: id(), name: text(0, 200) })
