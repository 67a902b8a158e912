# Reads the tables that foveola exports, as data frames. For research use, not a medical device.
#
# read_foveola("recording.csv") or read_foveola("recording.json"): one row per row of the file. Empty fields and null are
# NA. attr(table, "header") has the settings of the recording and attr(table, "events") its events: for a CSV from the JSON
# file beside it, recording.csv.json or recording.json, if there is one. JSON needs the package jsonlite.

read_foveola <- function(path) {
  if (grepl("\\.json$", path)) return(.foveola_json(path))
  lines <- readLines(path, encoding = "UTF-8", warn = FALSE)
  # Only the first lines are comments. A marker may contain the character.
  comments <- if (all(startsWith(lines, "#"))) length(lines) else which(!startsWith(lines, "#"))[1] - 1
  table <- utils::read.csv(path, skip = comments, na.strings = "", comment.char = "", check.names = FALSE,
                           fileEncoding = "UTF-8-BOM")
  about <- paste0(path, ".json")
  beside <- sub("\\.[^.]*$", ".json", path)
  if (file.exists(about) && requireNamespace("jsonlite", quietly = TRUE)) {
    table <- .foveola_describe(table, jsonlite::fromJSON(about))
  } else if (file.exists(beside)) {
    other <- .foveola_json(beside)
    attr(table, "header") <- attr(other, "header")
    attr(table, "events") <- attr(other, "events")
  } else {
    attr(table, "header") <- trimws(sub("^#", "", lines[seq_len(comments)]))
  }
  table
}

.foveola_json <- function(path) {
  if (!requireNamespace("jsonlite", quietly = TRUE))
    stop("JSON needs the package jsonlite: install.packages(\"jsonlite\")", call. = FALSE)
  data <- jsonlite::fromJSON(path)
  if (!is.data.frame(data$rows))
    stop(path, ": there is no list of rows. Export the table with exportJson().", call. = FALSE)
  .foveola_describe(data$rows, data)
}

.foveola_describe <- function(table, data) {
  attr(table, "header") <- data[setdiff(names(data), c("rows", "events"))]
  attr(table, "events") <- data$events
  table
}
