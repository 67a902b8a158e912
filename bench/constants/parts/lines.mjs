/** Lines of a list whose files lie in one folder. */
export const at = (folder, list) => list.map(([file, ...rest]) => [`${folder}/${file}`, ...rest]);
