// What Python sees of the kernels: a table of contents.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "assign.hpp"
#include "closeness_first.hpp"
#include "link.hpp"
#include "md.hpp"
#include "mdav.hpp"
#include "mended_cells.hpp"
#include "mending.hpp"
#include "mst.hpp"
#include "mu_approx.hpp"
#include "pricing.hpp"
#include "refine.hpp"
#include "shares.hpp"
#include "shortfall.hpp"
#include "tfrp.hpp"
#include "transport.hpp"
#include "univariate.hpp"
#include "vmdav.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace covey;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Given = nb::ndarray<const Label, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Labels = Array<Label>;
using Progress = std::optional<nb::typed<nb::callable, void(std::int64_t, std::int64_t)>>;

template <class T>
Array<T> to_numpy(std::vector<T>&& values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const std::size_t shape[] = {kept->size()};
  T* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T>(data, 1, shape, owner);
}

// Lets Ctrl-C in and progress out; an exception of either ends the kernel.
Poll to_poll(const Progress& progress) {
  return [&progress](std::int64_t done, std::int64_t total) {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress) (*progress)(done, total);
  };
}

// The same, but Ctrl-C ends the search and keeps what it has found.
Poll to_stopping_poll(const Progress& progress) {
  return [poll = to_poll(progress)](std::int64_t done, std::int64_t total) {
    try {
      poll(done, total);
    } catch (const nb::python_error& error) {
      nb::gil_scoped_acquire gil;
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      throw Stopped{};
    }
  };
}

Records to_records(const Matrix& X, const std::vector<Average>& averages, const std::vector<int>& levels) {
  const auto numeric = std::count_if(averages.begin(), averages.end(), [](Average a) { return a != Average::mode; });
  Records records{{X.data(), static_cast<Row>(X.shape(0)), static_cast<int>(numeric), static_cast<int>(X.shape(1)) - static_cast<int>(numeric)}, {}};
  for (std::size_t j = 0; j < averages.size(); ++j) records.columns.push_back({averages[j], levels[j]});
  return records;
}

// What would otherwise end in memory that is not ours.
void require(bool holds) {
  if (!holds) throw std::invalid_argument("k must be 1 … n, n at most 2**30, and averages and levels one for each column");
}

void require_records(const Matrix& X, const std::vector<Average>& averages, const std::vector<int>& levels, Row k) {
  require(k >= 1 && X.shape(0) >= static_cast<std::size_t>(k) && X.shape(0) <= std::size_t{1} << 30U &&
          averages.size() == X.shape(1) && levels.size() == X.shape(1));
}

// Runs a kernel without the interpreter's lock.
template <class Kernel>
Labels run(const Matrix& X, const std::vector<Average>& averages, const std::vector<int>& levels, Row k,
           const Progress& progress, Kernel&& kernel) {
  require_records(X, averages, levels, k);
  const Records records = to_records(X, averages, levels);
  Cells cells(records.space.n);
  {
    nb::gil_scoped_release released;
    Ticker ticker(to_poll(progress), records.space.n);
    kernel(records, cells, ticker);
    ticker.finish();
  }
  return to_numpy(std::move(cells.labels));
}

std::span<const double> to_span(const Values& values) { return {values.data(), values.shape(0)}; }

// Cells of the volumes asked for, and the costs that make them.
using Transported = std::tuple<Labels, Array<double>>;
template <class Distortion>
Transported transport(Distortion& distortion, const Values& costs, const Values& sizes, bool filled, std::span<const double> loads) {
  std::vector<double> adjusted(costs.data(), costs.data() + costs.shape(0));
  std::vector<Label> labels(static_cast<std::size_t>(distortion.n()));
  {
    nb::gil_scoped_release released;
    const Progress nobody;
    Ticker ticker(to_poll(nobody), distortion.n());
    Transport transport(distortion, loads, {{sizes.data(), sizes.data() + sizes.shape(0)}, filled}, ticker);
    transport.adjust(adjusted);
    for (Row place = 0; place < distortion.n(); ++place) labels[static_cast<std::size_t>(distortion.row(place))] = transport.cell(place);
  }
  return {to_numpy(std::move(labels)), to_numpy(std::move(adjusted))};
}

// Records at hand for one transport after another.
class Market {
 public:
  Market(const Matrix& X, std::optional<Values> ratios, std::optional<Values> loads)
      : distortion_(to_space(X), ratios ? to_span(*ratios) : std::span<const double>{}, ticker_) {
    if (loads) loads_.assign(loads->data(), loads->data() + loads->shape(0));
  }

  Transported adjust(const Matrix& points, const Values& costs, const Values& sizes, bool filled) {
    require(points.shape(0) == costs.shape(0) && points.shape(0) == sizes.shape(0) && points.shape(1) == d_);
    distortion_.set_points({points.data(), points.size()}, ticker_);
    return transport(distortion_, costs, sizes, filled, loads_);
  }

  Array<double> centre(const Matrix& points, const Values& costs, const Given& labels) {
    require(points.shape(0) == costs.shape(0) && points.shape(1) == d_ && labels.shape(0) == static_cast<std::size_t>(distortion_.n()) &&
            std::all_of(labels.data(), labels.data() + labels.shape(0),
                        [&](Label label) { return label >= 0 && label < static_cast<Label>(costs.shape(0)); }));
    distortion_.set_points({points.data(), points.size()}, ticker_);
    std::vector<double> moved(costs.data(), costs.data() + costs.shape(0));
    Transport transport(distortion_, loads_, {std::vector<double>(moved.size(), 1.0), true}, ticker_);
    transport.centre(moved, {labels.data(), labels.shape(0)});
    return to_numpy(std::move(moved));
  }

 private:
  Space to_space(const Matrix& X) {
    require(X.shape(0) >= 1 && X.shape(0) <= std::size_t{1} << 30U && X.shape(1) >= 1);
    d_ = X.shape(1);
    return {X.data(), static_cast<Row>(X.shape(0)), static_cast<int>(d_), 0};
  }

  std::size_t d_ = 0;
  Ticker ticker_{Poll{}, 1};
  PointDistortion distortion_;
  std::vector<double> loads_;
};

std::vector<double> to_vector(const Values& values) { return {values.data(), values.data() + values.shape(0)}; }

// Values of a confidential column, below `levels`.
std::vector<Code> to_codes(const Given& codes, std::size_t levels) {
  require(codes.shape(0) <= std::size_t{1} << 30U && levels <= std::size_t{1} << 30U &&
          std::all_of(codes.data(), codes.data() + codes.shape(0), [&](Label code) { return code >= 0 && code < static_cast<Label>(levels); }));
  return {codes.data(), codes.data() + codes.shape(0)};
}

// Cells at hand, to be mended and then made better.
class Mending {
 public:
  Mending(const Matrix& points, const Given& labels, Row k, const Shortfalls& shortfalls, Row scanned)
      : cells_(checked(points, labels, k, shortfalls), {labels.data(), labels.shape(0)}, k, shortfalls, scanned, ticker_),
        touched_(static_cast<std::size_t>(cells_.count())) {}

  std::int64_t failing() const { return static_cast<std::int64_t>(cells_.failing().size()); }
  std::int64_t count() const { return cells_.alive(); }
  double squared_errors() const { return cells_.squared_errors(); }
  Labels labels() const { return to_numpy(cells_.labels()); }

  bool mend(std::int64_t looks, Row fewest, const Progress& progress) {
    nb::gil_scoped_release released;
    Ticker ticker(to_poll(progress), cells_.space().n);
    const bool done = covey::mend(cells_, looks, fewest, touched_, ticker);
    ticker.finish();
    return done;
  }

  void descend(std::int32_t visits, bool everywhere, const Progress& progress) {
    nb::gil_scoped_release released;
    Ticker ticker(to_poll(progress), cells_.space().n);
    covey::descend(cells_, everywhere ? std::vector<bool>(touched_.size(), true) : touched_, visits, ticker);
    ticker.finish();
  }

 private:
  static Space checked(const Matrix& points, const Given& labels, Row k, const Shortfalls& shortfalls) {
    const std::size_t n = points.shape(0);
    require(k >= 1 && n >= 1 && n <= std::size_t{1} << 30U && points.shape(1) >= 1 && labels.shape(0) == n);
    require(std::all_of(shortfalls.begin(), shortfalls.end(), [&](const auto& shortfall) { return shortfall->n() == n; }));
    const Space space{points.data(), static_cast<Row>(n), static_cast<int>(points.shape(1)), 0};
    require(is_partition({labels.data(), n}, space.n, 1));
    return space;
  }

  Ticker ticker_{Poll{}, 1};
  MendedCells cells_;
  std::vector<bool> touched_;
};

// What a cell of some records falls short of, and would after an exchange, for the tests.
Tally tally_of(const Shortfall& shortfall, const Given& records) {
  require(records.shape(0) >= 1 && std::all_of(records.data(), records.data() + records.shape(0),
                                                [&](Label record) { return record >= 0 && record < static_cast<Label>(shortfall.n()); }));
  Tally tally;
  shortfall.count(std::vector<Row>(records.data(), records.data() + records.shape(0)), tally);
  shortfall.prepare(tally);
  return tally;
}

// The labels, the steps taken, and whether Ctrl-C ended them.
using Refinement = std::tuple<Labels, std::int64_t, bool>;

Refinement run_refine(const Matrix& X, const std::vector<Average>& averages, const std::vector<int>& levels, Row k,
                      const Given& given, Budget budget, std::uint64_t seed, const Progress& progress) {
  require_records(X, averages, levels, k);
  const Records records = to_records(X, averages, levels);
  std::vector<Label> labels(given.data(), given.data() + given.shape(0));
  require(is_partition(labels, records.space.n, k));
  Refined refined{};
  {
    nb::gil_scoped_release released;
    Ticker ticker(to_stopping_poll(progress), records.space.n);
    refined = refine(records, k, budget, seed, labels, ticker);
    if (!refined.stopped) ticker.finish();
  }
  return {to_numpy(std::move(labels)), refined.steps, refined.stopped};
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "Kernels of covey. That values are finite, and codes are codes, is not checked here: use covey.partition.";

  nb::enum_<Average>(m, "Average", "What the average of a column is.")
      .value("mean", Average::mean)
      .value("median", Average::median)
      .value("convex_median", Average::convex_median)
      .value("mode", Average::mode);
  nb::enum_<Search>(m, "Search", "Which index answers the queries; the answers are the same.")
      .value("automatic", Search::automatic)
      .value("tree", Search::tree)
      .value("flat", Search::flat);
  nb::enum_<Tail>(m, "Tail", "How MDAV deals with the records left in the end.")
      .value("split", Tail::split)
      .value("adjoin", Tail::adjoin);

  nb::enum_<Split>(m, "Split", "How cells of 2k records or more are dealt with.")
      .value("md", Split::md)
      .value("none", Split::none);

  m.def(
      "mdav",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, Tail tail, Search search, int threads,
         Progress progress) {
        return run(X, averages, levels, k, progress, [&](const Records& records, Cells& cells, Ticker& ticker) {
          mdav(records, {k, search, threads}, tail, cells, ticker);
        });
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "tail"_a, "search"_a, "threads"_a, "progress"_a = nb::none());
  m.def(
      "md",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, Search search, int threads,
         Progress progress) {
        return run(X, averages, levels, k, progress, [&](const Records& records, Cells& cells, Ticker& ticker) {
          md(records, {k, search, threads}, cells, ticker);
        });
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "search"_a, "threads"_a, "progress"_a = nb::none());
  m.def(
      "mst",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, Split split, Search search,
         Progress progress) {
        return run(X, averages, levels, k, progress, [&](const Records& records, Cells& cells, Ticker& ticker) {
          mst(records, {k, search}, split, cells, ticker);
        });
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "split"_a, "search"_a, "progress"_a = nb::none());
  m.def(
      "mu_approx",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, Search search, Progress progress) {
        return run(X, averages, levels, k, progress, [&](const Records& records, Cells& cells, Ticker& ticker) {
          mu_approx(records, {k, search}, cells, ticker);
        });
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "search"_a, "progress"_a = nb::none());
  m.def(
      "tfrp",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, Search search, Progress progress) {
        return run(X, averages, levels, k, progress, [&](const Records& records, Cells& cells, Ticker& ticker) {
          tfrp(records, {k, search}, cells, ticker);
        });
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "search"_a, "progress"_a = nb::none());
  m.def(
      "vmdav",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, double gamma, Search search,
         Progress progress) {
        return run(X, averages, levels, k, progress, [&](const Records& records, Cells& cells, Ticker& ticker) {
          vmdav(records, {k, search}, gamma, cells, ticker);
        });
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "gamma"_a, "search"_a, "progress"_a = nb::none());
  m.def(
      "refine",
      [](Matrix X, std::vector<Average> averages, std::vector<int> levels, Row k, Given labels, std::int64_t steps,
         double seconds, std::uint64_t seed, Progress progress) {
        return run_refine(X, averages, levels, k, labels, {steps, seconds}, seed, progress);
      },
      "X"_a, "averages"_a, "levels"_a, "k"_a, "labels"_a, "steps"_a, "seconds"_a, "seed"_a, "progress"_a = nb::none(),
      "Labels, numbered anyhow, of the best partition found; the steps taken; whether Ctrl-C ended them.");
  m.def(
      "univariate",
      [](Values sorted, std::int64_t k, Progress progress) {
        require(k >= 1 && sorted.shape(0) >= static_cast<std::size_t>(k));
        std::vector<std::int64_t> begins;
        {
          nb::gil_scoped_release released;
          Ticker ticker(to_poll(progress), static_cast<std::int64_t>(sorted.shape(0)));
          begins = univariate({sorted.data(), sorted.shape(0)}, k, ticker);
          ticker.finish();
        }
        return to_numpy(std::move(begins));
      },
      "sorted"_a, "k"_a, "progress"_a = nb::none(), "Where each cell of the optimal partition begins.");

  m.def(
      "link",
      [](Matrix X, int numeric, bool exact_masks, Given counts, Matrix queries, int threads, Progress progress) {
        require(numeric >= 0 && X.shape(1) >= static_cast<std::size_t>(std::max(numeric, 1)) && X.shape(0) >= 1 &&
                X.shape(0) <= std::size_t{1} << 30U && counts.shape(0) == X.shape(0) && queries.shape(1) == X.shape(1));
        const auto nominal = static_cast<int>(X.shape(1)) - numeric;
        const Space space{X.data(), static_cast<Row>(X.shape(0)), numeric, nominal};
        std::vector<double> least(queries.shape(0));
        std::vector<Label> ties(queries.shape(0));
        {
          nb::gil_scoped_release released;
          Ticker ticker(to_poll(progress), static_cast<std::int64_t>(queries.shape(0)));
          const auto found = link(space, exact_masks, {counts.data(), counts.shape(0)},
                                  {queries.data(), queries.size()}, threads, ticker);
          for (std::size_t i = 0; i < found.size(); ++i) least[i] = found[i].distance, ties[i] = found[i].count;
          ticker.finish();
        }
        return std::make_tuple(to_numpy(std::move(least)), to_numpy(std::move(ties)));
      },
      "X"_a, "numeric"_a, "exact_masks"_a, "counts"_a, "queries"_a, "threads"_a, "progress"_a = nb::none(),
      "Of each query the least squared distance, and what the records at just that distance count together.");

  nb::class_<Market>(m, "Market", "Records at hand for one transport after another.")
      .def(nb::init<Matrix, std::optional<Values>, std::optional<Values>>(), "X"_a, "ratios"_a = nb::none(),
           "loads"_a = nb::none())
      .def("adjust", &Market::adjust, "points"_a, "costs"_a, "sizes"_a, "filled"_a,
           "Labels of the least distortion with these sizes, and the costs that make them.")
      .def("centre", &Market::centre, "points"_a, "costs"_a, "labels"_a,
           "Costs that make the same labels, as far from others as can be.");
  m.def(
      "closeness_first",
      [](Matrix points, Given order, Given widths, Label count, Progress progress) {
        require(points.shape(0) >= 1 && points.shape(0) <= std::size_t{1} << 30U && points.shape(1) >= 1);
        const Space space{points.data(), static_cast<Row>(points.shape(0)), static_cast<int>(points.shape(1)), 0};
        const auto lines = subsets_of({order.data(), order.shape(0)}, {widths.data(), widths.shape(0)}, space.n, count);
        require(!lines.empty());
        Cells cells(space.n);
        {
          nb::gil_scoped_release released;
          Ticker ticker(to_poll(progress), space.n);
          closeness_first(space, lines, count, cells, ticker);
          ticker.finish();
        }
        return to_numpy(std::move(cells.labels));
      },
      "points"_a, "order"_a, "widths"_a, "count"_a, "progress"_a = nb::none(),
      "Labels of so many cells, each with a record of every subset; `order` has the records subset by subset.");

  nb::class_<Shortfall>(m, "Shortfall", "How far cells are from meeting a criterion.")
      .def("whole", [](const Shortfall& self, Given records) { return self.whole(tally_of(self, records)); }, "records"_a,
           "That of a cell of these records.")
      .def("changed",
           [](const Shortfall& self, Given records, Code out, Code into) { return self.changed(tally_of(self, records), out, into); },
           "records"_a, "out"_a, "into"_a, "After a record of the cell with the value `out` left, and one with `into` came; -1 for none.");
  m.def("distinct", [](Given codes, std::size_t levels, double p) { return distinct_shortfall(to_codes(codes, levels), p); },
        "codes"_a, "levels"_a, "p"_a);
  m.def("entropy", [](Given codes, std::size_t levels, double l) { return entropy_shortfall(to_codes(codes, levels), l); },
        "codes"_a, "levels"_a, "l"_a);
  m.def("recursive",
        [](Given codes, std::size_t levels, double c, Row l) {
          require(l >= 1);
          return recursive_shortfall(to_codes(codes, levels), c, l);
        },
        "codes"_a, "levels"_a, "c"_a, "l"_a);
  m.def("equal", [](Given codes, double t, Values shares) { return equal_shortfall(to_codes(codes, shares.shape(0)), t, to_vector(shares)); },
        "codes"_a, "t"_a, "shares"_a);
  m.def("ordered",
        [](Given codes, double t, Values reached, Values under, Values places) {
          require(reached.shape(0) == places.shape(0) && under.shape(0) == places.shape(0));
          return ordered_shortfall(to_codes(codes, places.shape(0)), t, {to_vector(reached), to_vector(under), to_vector(places)});
        },
        "codes"_a, "t"_a, "reached"_a, "under"_a, "places"_a);
  nb::class_<Mending>(m, "Mending", "Cells at hand, to be mended and then made better.")
      .def(nb::init<Matrix, Given, Row, Shortfalls, Row>(), "points"_a, "labels"_a, "k"_a,
           "shortfalls"_a, "scanned"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("failing", &Mending::failing, "The number of cells that fall short.")
      .def_prop_ro("count", &Mending::count, "The number of cells.")
      .def_prop_ro("squared_errors", &Mending::squared_errors, "About the means of the cells.")
      .def("labels", &Mending::labels, "Cells are numbered by their lowest records.")
      .def("mend", &Mending::mend, "looks"_a, "fewest"_a, "progress"_a = nb::none(),
           "Until no cell falls short; False if fewer than `fewest` cells were left.")
      .def("descend", &Mending::descend, "visits"_a, "everywhere"_a, "progress"_a = nb::none(),
           "While the squared errors fall, from the cells that were mended or from all.");
  m.def(
      "assign",
      [](Matrix X, Matrix points, Values costs) {
        require(points.shape(0) == costs.shape(0) && points.shape(1) == X.shape(1) && points.shape(0) >= 1 && X.shape(0) <= std::size_t{1} << 30U);
        std::vector<Label> labels(X.shape(0));
        {
          nb::gil_scoped_release released;
          const Progress nobody;
          Ticker ticker(to_poll(nobody), static_cast<std::int64_t>(X.shape(0)));
          assign({X.data(), X.size()}, {points.data(), points.size()}, to_span(costs), labels, ticker);
        }
        return to_numpy(std::move(labels));
      },
      "X"_a, "points"_a, "costs"_a, "Of each record the cell of least d + c, the lowest of several.");
  m.def(
      "allocate",
      [](Matrix table, Values sizes, bool filled) {
        require(table.shape(1) == sizes.shape(0) && table.shape(0) >= 1 && table.shape(0) <= std::size_t{1} << 30U);
        TableDistortion distortion({table.data(), table.size()}, static_cast<Row>(table.shape(0)), static_cast<Cell>(table.shape(1)));
        const std::vector<double> zeros(sizes.shape(0), 0.0);
        const std::size_t shape[] = {zeros.size()};
        return transport(distortion, Values(zeros.data(), 1, shape), sizes, filled, {});
      },
      "table"_a, "sizes"_a, "filled"_a);
  m.def(
      "least_shares",
      [](Matrix X, Row k, int rounds, Progress progress) {
        require(k >= 1 && X.shape(0) >= static_cast<std::size_t>(k) && X.shape(0) <= std::size_t{1} << 30U);
        const Space space{X.data(), static_cast<Row>(X.shape(0)), static_cast<int>(X.shape(1)), 0};
        ShareBound bound;
        {
          nb::gil_scoped_release released;
          Ticker ticker(to_poll(progress), 2 * static_cast<std::int64_t>(space.n));
          bound = least_shares(space, k, rounds, ticker);
          ticker.finish();
        }
        return std::make_tuple(bound.sum, to_numpy(std::move(bound.shares)));
      },
      "X"_a, "k"_a, "rounds"_a, "progress"_a = nb::none(), "What no partition has a lower SSE than, and the share of each record.");
  m.def(
      "price_cells",
      [](Matrix X, Values prices, Row k, int each, std::int64_t most_nodes, int most_candidates, double seconds, Progress progress) {
        require(k >= 2 && X.shape(0) >= static_cast<std::size_t>(k) && X.shape(0) <= std::size_t{1} << 30U &&
                prices.shape(0) == X.shape(0) && each >= 1 && most_candidates >= 1);
        const Space space{X.data(), static_cast<Row>(X.shape(0)), static_cast<int>(X.shape(1)), 0};
        PricedCells found;
        {
          nb::gil_scoped_release released;
          Ticker ticker(to_poll(progress), space.n);
          found = price_cells(space, {prices.data(), prices.shape(0)}, {k, each, most_nodes, most_candidates, seconds}, ticker);
        }
        return std::make_tuple(to_numpy(std::move(found.rows)), to_numpy(std::move(found.begins)),
                               to_numpy(std::move(found.excesses)), found.complete);
      },
      "X"_a, "prices"_a, "k"_a, "each"_a, "most_nodes"_a, "most_candidates"_a, "seconds"_a, "progress"_a = nb::none(),
      "Cells of least excess: their rows, where each begins, a bound for each record, whether all was seen.");
}
