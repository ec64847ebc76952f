#!/bin/sh
# Bots play a whole game; then it is shown, replayed, audited, forked, played on differently and compared.
set -e
say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
chancery="${BIN:-.venv/bin}/chancery"

say "1. Four greedy bots play A Column of Fire to the end"
match=$($chancery new column-of-fire --seats 4 --bots greedy --play --quiet)
$chancery show "$match"

say "2. Its last events, each with the rules it rests on"
last=$($chancery matches | sed -n "s/.*$match.*version //p")
$chancery log "$match" --after $((last - 12)) --why

say "3. The same table through red's eyes, half-way: what red may not know is not there"
half=$((last / 2))
$chancery show "$match" --at "$half" --as red

say "4. The audit: chain, seed and rules, run again on every decision"
$chancery audit "$match"

say "5. What if? A branch from version $half, played on by bots with its own luck"
line=$($chancery fork "$match" --at "$half" --reason "what if" --quiet)
$chancery play "$line" --bots red=greedy,yellow=greedy,green=greedy,blue=greedy --quiet
$chancery lines "$match"

say "6. Both endings compared"
$chancery compare "$match" "$line"
