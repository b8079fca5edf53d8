import { id, shape, text } from '#wire/schema'

/** A member of staff, as shown to readers of what they wrote or signed. */
export const StaffMember = shape('StaffMember', { _id: id(), name: text(0, 200) })
