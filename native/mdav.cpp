#include "mdav.hpp"

#include "rounds.hpp"

namespace covey {
namespace {

template <class Left>
void run_mdav(const Records& records, const Options& options, Tail tail, Left& left,
              Cells& cells, Ticker& ticker) {
  const std::int64_t k = options.k;
  RunningAverage average(records);
  std::vector<double> average_record(static_cast<std::size_t>(records.space.d()));
  const auto farthest_from_average = [&] {
    average.write(average_record);
    return left.farthest_from_drifting(average_record.data()).row;
  };
  Rounds rounds(records.space, left, cells, options.k, two_threads(options, records.space), ticker,
                [&](Row row) { average.remove(row); });

  while (left.count() >= (tail == Tail::split ? 3 * k : 2 * k)) rounds.form_two(farthest_from_average());
  if (left.count() >= 2 * k) rounds.form_around(farthest_from_average());
  const std::vector<Row> rest = left.rows();
  if (left.count() >= k)
    rounds.form(rest);
  else
    for (const Row row : rest) cells.put(row, cells.count - 1);
}

}  // namespace

void mdav(const Records& records, const Options& options, Tail tail, Cells& cells,
          Ticker& ticker) {
  with_index(records, options.search, ticker,
             [&](auto& left) { run_mdav(records, options, tail, left, cells, ticker); });
}

}  // namespace covey
